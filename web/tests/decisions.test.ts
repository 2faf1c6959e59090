import { describe, expect, it } from 'vitest'
import {
  candidates,
  fullest,
  glowing,
  incomeRange,
  parse,
  preferShape,
  targets,
  type Choice,
} from '../src/lib/decisions'

const choice = (over: Partial<Choice> = {}): Choice => ({ verb: null, picked: [], shape: 't', ...over })
/** One example of every form of the contract's section 3. */
const FORMS: Record<string, string[]> = {
  'income 2 1': ['stock:t', 'stock:m'],
  'place t groningen-emden/2': ['post:groningen-emden/2'],
  'displace m groningen-emden/1': ['post:groningen-emden/1'],
  'lift groningen-emden/1': ['post:groningen-emden/1'],
  'put m groningen-emden/3': ['post:groningen-emden/3'],
  'take groningen-emden/3': ['post:groningen-emden/3'],
  'take t': ['stock:t'],
  'pay m': ['supply:m'],
  'pawn 7': ['province:7'],
  'walk 12': ['province:12'],
  'use plus4': ['marker:plus4'],
  'use skill bank': ['marker:skill', 'skill:bank'],
  'use swap emden 1': ['marker:swap', 'city:emden', 'house:emden/1', 'house:emden/2'],
  'use exchange p3 plus4': ['marker:exchange', 'player:p3'],
  'use tribute groningen-emden': ['marker:tribute', 'route:groningen-emden'],
  'favour double': ['favour:double'],
  'spend swap': ['marker:swap'],
  'fee swap': ['marker:swap'],
  'green belgard t': ['city:belgard'],
  'neutral hamburg-luebeck luebeck': ['route:hamburg-luebeck', 'city:luebeck'],
  'lay plus3 hamburg-luebeck': ['route:hamburg-luebeck', 'plate:plus3'],
  end: [],
  done: [],
}

describe('parse and targets', () => {
  it.each(Object.entries(FORMS))('%s', (text, expected) => {
    const d = parse(text)
    expect(d.text).toBe(text)
    expect(targets(d).sort()).toEqual([...expected].sort())
  })
  it('an establishment answers to its road, its posts and what it gains', () => {
    const office = targets(parse('establish groningen-emden office emden'), () => 3)
    expect(office).toEqual([
      'route:groningen-emden',
      'post:groningen-emden/1',
      'post:groningen-emden/2',
      'post:groningen-emden/3',
      'city:emden',
    ])
    expect(targets(parse('establish groningen-emden skill book'), () => 3)).toContain('skill:book')
    expect(targets(parse('establish coellen-warburg prestige 9'), () => 4)).toContain('prestige:9')
    expect(parse('establish groningen-emden extra emden m')).toMatchObject({
      gain: 'extra',
      city: 'emden',
      shape: 'm',
      marker: 'extra-office',
    })
  })
  it('ids with hyphens stay whole', () => {
    expect(parse('place t carlisle-isle-of-man/2')).toMatchObject({
      route: 'carlisle-isle-of-man',
      post: 'carlisle-isle-of-man/2',
    })
  })
})

describe('narrowing', () => {
  const legal = [
    'place t a-b/1',
    'place m a-b/1',
    'place t a-b/2',
    'establish c-d none',
    'establish c-d office c',
    'establish c-d office d',
    'lift c-d/1',
    'end',
  ].map(parse)
  it('a verb leaves its own', () => {
    expect(candidates(legal, choice({ verb: 'lift' })).map((d) => d.text)).toEqual(['lift c-d/1'])
  })
  it('clicks narrow one after the other', () => {
    expect(candidates(legal, choice({ picked: ['route:c-d'] }))).toHaveLength(3)
    expect(candidates(legal, choice({ picked: ['route:c-d', 'city:d'] })).map((d) => d.text)).toEqual([
      'establish c-d office d',
    ])
  })
  it('a piece of a full route offers both its move and the establishment', () => {
    expect(candidates(legal, choice({ picked: ['post:c-d/1'] })).map((d) => d.verb)).toEqual([
      'establish',
      'establish',
      'establish',
      'lift',
    ])
  })
  it('glows are all things of what is left, but what was clicked', () => {
    const open = candidates(legal, choice({ picked: ['route:c-d'] }))
    const keys = glowing(open, ['route:c-d'])
    expect(keys).toContain('city:c')
    expect(keys).not.toContain('route:c-d')
  })
  it('where only the shape is open the wanted one decides', () => {
    const both = legal.slice(0, 2)
    expect(preferShape(both, 'm').map((d) => d.text)).toEqual(['place m a-b/1'])
    expect(preferShape(legal.slice(3, 5), 'm')).toHaveLength(2)
  })
})

describe('income', () => {
  it('bounds come from what is offered', () => {
    const list = ['income 1 0', 'income 2 0', 'income 3 0', 'income 0 1', 'income 1 1', 'income 2 1', 'end'].map(parse)
    expect(incomeRange(list)).toEqual({ traders: 3, merchants: 1, total: 3 })
    expect(incomeRange([])).toEqual({ traders: 0, merchants: 0, total: 0 })
    expect(fullest(list).map((d) => d.text)).toEqual(['income 3 0', 'income 2 1'])
    expect(fullest(list.slice(0, 3)).map((d) => d.text)).toEqual(['income 3 0'])
  })
})
