// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Puzzles from '../src/pages/Puzzles.svelte'
import { nextOf, note, ofPuzzle, progress } from '../src/lib/puzzling.svelte'
import { save } from '../src/lib/settings.svelte'
import type { LogEntry, PuzzleFace, PuzzleSheet } from '../src/lib/wire'
import { fakeServer, table } from './fake'

beforeEach(() => {
  save({ lang: 'en' })
  localStorage.removeItem('hansa.puzzles')
  for (const id of Object.keys(progress)) delete progress[id]
})
afterEach(() => vi.unstubAllGlobals())

const face = (id: string, themes = ['office']): PuzzleFace => ({ id, board: 'hansa-45', players: 4, themes })

describe('progress', () => {
  it('is kept, and what is solved stays solved', () => {
    note('a', 'shown')
    note('a', 'solved')
    note('a', 'shown')
    expect(progress).toEqual({ a: 'solved' })
    expect(JSON.parse(localStorage.getItem('hansa.puzzles')!)).toEqual({ a: 'solved' })
  })
  it('leads to the next one that is not solved, round the list', () => {
    const all = ['a', 'b', 'c'].map((id) => face(id))
    note('b', 'solved')
    expect(nextOf(all, 'a')?.id).toBe('c')
    expect(nextOf(all, 'c')?.id).toBe('a')
    note('a', 'solved')
    note('c', 'solved')
    expect(nextOf(all, 'a')).toBeNull()
  })
})

describe('the table of a puzzle', () => {
  const sheet: PuzzleSheet = { ...face('hansa-45-1'), setup: table().setup, player: 'p2', number: 0 }
  it('has one seat for whoever solves, and sends only what is decided there', async () => {
    const asked = fakeServer({ 'POST /puzzles/hansa-45-1/line': {} })
    const source = ofPuzzle(sheet, 'You')
    expect(source.table.seats.map((s) => s.yours)).toEqual([false, true, false, false])
    expect(source.sends({ player: 'p2' } as LogEntry)).toBe(true)
    expect(source.sends({ player: 'p1' } as LogEntry)).toBe(false)
    await source.ask(['end'])
    expect(asked[0]?.body).toEqual({ decisions: ['end'], reveal: false })
  })
})

describe('the list', () => {
  it('shows boards, what is solved, and own mistakes', async () => {
    note('hansa-45-2', 'solved')
    fakeServer({
      'GET /puzzles': { shipped: [face('hansa-45-1'), face('hansa-45-2'), face('east-1')], own: [face('k7.4')] },
    })
    render(Puzzles, { arg: '' })
    expect(await screen.findByText('1 of 3 solved')).toBeTruthy()
    const links = screen.getAllByRole('link', { name: /^Puzzle / })
    expect(links.map((a) => a.getAttribute('href'))).toEqual([
      '/#/puzzles/k7.4',
      '/#/puzzles/hansa-45-1',
      '/#/puzzles/hansa-45-2',
      '/#/puzzles/east-1',
    ])
    expect(screen.getByRole('link', { name: 'Puzzle 2, solved' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go on' }).getAttribute('href')).toBe('/#/puzzles/hansa-45-1')
  })
  it('says where puzzles of one’s own come from', async () => {
    fakeServer({ 'GET /puzzles': { shipped: [face('east-1')], own: [] } })
    render(Puzzles, { arg: '' })
    expect(await screen.findByText(/your mistakes become puzzles/)).toBeTruthy()
  })
})
