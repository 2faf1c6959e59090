// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import StudyTree from '../src/table/StudyTree.svelte'
import { save } from '../src/lib/settings.svelte'
import { Studying } from '../src/lib/studying.svelte'
import { ofGame, Tried } from '../src/lib/tried.svelte'
import type { StudyFace } from '../src/lib/wire'
import { fakeServer, table } from './fake'

beforeEach(() => save({ lang: 'en' }))
afterEach(() => vi.unstubAllGlobals())

const line = { position: { number: 3, revision: 3, legal: [], over: false }, entries: [] }
const studying = (saved: StudyFace | null = null): Studying =>
  new Studying(new Tried(ofGame(table({ status: 'over' }), 3)), 'k7', 3, saved)

describe('a study', () => {
  it('grows by what is tried, and branches where something else is', () => {
    const study = studying()
    study.take(['a', 'b', 'c'])
    study.take(['a'])
    expect(study.at).toBe(0)
    study.take(['a', 'x'])
    study.take(['a', 'b'])
    expect(study.nodes.map((n) => [n.parent, n.text])).toEqual([
      [-1, 'a'],
      [0, 'b'],
      [1, 'c'],
      [0, 'x'],
    ])
    expect(study.at).toBe(1)
    expect(study.chain(0)).toEqual([0, 1, 2])
    expect(study.line(2)).toEqual(['a', 'b', 'c'])
  })

  it('has a comment on each decision and on the beginning', () => {
    const study = studying()
    study.say('from here')
    study.take(['a'])
    study.say('good')
    expect(study.comment).toBe('from here')
    expect(study.said).toBe('good')
  })

  it('loses a branch with all that follows; the rest keeps its places', async () => {
    const asked = fakeServer({ 'POST /games/k7/line': line })
    const study = studying()
    study.take(['a', 'b', 'c'])
    study.take(['a', 'x', 'y'])
    await study.drop(1)
    expect(study.nodes.map((n) => [n.parent, n.text])).toEqual([
      [-1, 'a'],
      [0, 'x'],
      [1, 'y'],
    ])
    expect(asked.at(-1)?.body).toEqual({ number: 3, decisions: ['a'] })
  })

  it('is kept under a name, then changed; somebody else’s is kept as a copy', async () => {
    const kept = { id: 's1', name: 'Openings', game: 'k7', number: 3, changed: 1, comment: '', nodes: [], yours: true }
    const asked = fakeServer({ 'POST /studies': kept, 'PUT /studies/s1': kept })
    const study = studying()
    study.name = 'Openings'
    await study.save()
    expect(study.id).toBe('s1')
    await study.save()
    const theirs = studying({ ...kept, id: 's9', yours: false })
    await theirs.save()
    expect(asked.map((a) => `${a.method} ${a.path}`)).toEqual(['POST /studies', 'PUT /studies/s1', 'POST /studies'])
    expect(asked[0]?.body).toEqual({ name: 'Openings', game: 'k7', number: 3, comment: '', nodes: [] })
  })

  it('is seen as a tree: the place on the board, comments, other branches below', () => {
    const study = studying()
    study.take(['income 3 0', 'end'])
    study.take(['income 2 1'])
    study.say('with a merchant')
    render(StudyTree, { studying: study, first: 0, names: { geometry: null, who: (s: string) => s } })
    const steps = screen.getAllByRole('button')
    expect(steps).toHaveLength(3)
    expect(steps[1]!.getAttribute('aria-current')).toBe('step')
    expect(screen.getByText('with a merchant')).toBeTruthy()
  })
})
