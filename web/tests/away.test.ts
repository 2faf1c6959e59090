// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Live } from '../src/lib/live.svelte'
import { save } from '../src/lib/settings.svelte'
import Seats from '../src/table/Seats.svelte'
import { table } from './fake'

const NOW = 1_700_000_000_000
const MINUTE = 60_000

beforeEach(() => {
  save({ lang: 'en' })
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => vi.useRealTimers())

function live(deadline: number): { live: Live; propose: ReturnType<typeof vi.fn> } {
  const face = table({ status: 'running', proposals: [] } as never)
  face.seats = face.seats.map((s) => (s.seat === 'p2' ? { ...s, kind: 'human', deadline } : s))
  const propose = vi.fn()
  return { live: { table: face, skew: 0, propose } as unknown as Live, propose }
}
const banner = (): Element | null => document.querySelector('[data-banner="away"]')
const close = (): HTMLElement => screen.getByRole('button', { name: 'Close' })

it('the time for which a seat is kept can be put away, and comes back when it is up', async () => {
  const { live: shown, propose } = live(NOW + MINUTE)
  render(Seats, { live: shown })
  expect(banner()?.textContent).toContain('Bertram is away.')
  expect(screen.getByRole('timer').textContent).toBe('The seat is kept for 1:00.')
  await fireEvent.click(close())
  expect(banner()).toBeNull()
  vi.advanceTimersByTime(MINUTE + 1000)
  await tick()
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: 'Ask for a machine in place of Bertram' }))
  expect(propose).toHaveBeenCalledWith({ kind: 'standin', seat: 'p2' })
})

it('is told anew when he goes another time', async () => {
  const { rerender } = render(Seats, { live: live(NOW + MINUTE).live })
  await fireEvent.click(close())
  await rerender({ live: live(NOW + 2 * MINUTE).live })
  expect(banner()?.textContent).toContain('2:00')
})
