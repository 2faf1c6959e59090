/** The time of day for what counts down on the screen: whoever reads it is told again every second. */
import { createSubscriber } from 'svelte/reactivity'
import { clockText } from './clocks.svelte'

const everySecond = createSubscriber((update) => {
  const timer = setInterval(update, 1000)
  return () => clearInterval(timer)
})

/** What is left of a wait: as on a clock, but never in tenths. */
export const restText = (ms: number): string =>
  ms < 10_000 ? `0:0${Math.ceil(Math.max(0, ms) / 1000)}` : clockText(ms)

export function now(): number {
  everySecond()
  return Date.now()
}
