/** Two soft wooden knocks, made on the spot; off unless wished. */
import { settings } from './settings.svelte'

let context: AudioContext | null = null

export function knock(high = false): void {
  if (!settings.sounds) return
  context ??= new AudioContext()
  const tone = context.createOscillator()
  const volume = context.createGain()
  const now = context.currentTime
  tone.type = 'triangle'
  tone.frequency.setValueAtTime(high ? 520 : 260, now)
  tone.frequency.exponentialRampToValueAtTime(high ? 380 : 140, now + 0.09)
  volume.gain.setValueAtTime(0.12, now)
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.14)
  tone.connect(volume).connect(context.destination)
  tone.start(now)
  tone.stop(now + 0.15)
}
