// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import type { Position } from '../src/lib/wire'
import { nextThing } from '../src/lib/focus'
import { Session } from '../src/lib/session.svelte'
import { save } from '../src/lib/settings.svelte'
import { table } from './fake'
import { displaced, move, position, press, seated } from './seated'

beforeEach(() => save({ lang: 'en', confirm: false }))

describe('a gesture', () => {
  it('one click decides where one decision is left', () => {
    const { session, live } = seated()
    session.play.pick('post:a-b/2')
    expect(live.act).toHaveBeenCalledWith('place t a-b/2')
  })
  it('income asks only where the shapes can be chosen', () => {
    const { session, live } = seated()
    session.play.setVerb('income')
    expect(live.act).toHaveBeenCalledWith('income 2 0')
    const both = seated({ legal: ['income 1 0', 'income 0 1', 'end'] })
    both.session.play.pick('stock:t')
    expect([both.session.play.choice.verb, both.session.showCard, both.live.act.mock.calls.length]).toEqual([
      'income',
      true,
      0,
    ])
  })
  it('a route with nothing to gain is asked about, and left at once', () => {
    const { session, live } = seated({ legal: ['establish a-b none', 'end'] })
    session.play.pick('route:a-b')
    expect([session.play.asking?.text, live.act.mock.calls.length]).toEqual(['establish a-b none', 0])
    session.undoing.cancel()
    expect(session.play.busy).toBe(false)
    session.play.setVerb('establish')
    session.undoing.cancel()
    expect(session.play.busy).toBe(false)
  })
  it('after it the focus goes to what lies nearest', () => {
    const { session } = seated()
    session.play.last = 'post:a-b/2'
    expect(nextThing(session)).toBe('post:a-b/2')
    session.play.last = 'city:a'
    expect(nextThing(session)).toBe('post:a-b/1')
    const none = seated({ legal: ['end'] })
    expect(nextThing(none.session)).toBeNull()
  })
  it('a piece from the stock comes in from the side of the desk', () => {
    const { session, live } = seated()
    session.framing.box = { x: 0, y: 0, w: 800, h: 600 }
    const moved = { type: 'piece-moved', piece: 'p1:t', source: 'stock:p1', target: 'post:a-b/1' }
    live.log.push({ revision: 5, number: 5, kind: 'decision', player: 'p1', text: 'put t a-b/1', events: [moved] })
    ;(live as unknown as { fresh: object[] }).fresh = live.log
    session.news.take(session.names)
    const from = session.news.origins.get('a-b/1')!
    expect(session.framing.mode === 'desktop' ? from.x : from.y).toBe(session.framing.mode === 'desktop' ? 800 : 600)
  })
  it('the wanted shape decides where only the shape is open', () => {
    const { session, live } = seated()
    session.play.setShape('m')
    session.play.pick('post:a-b/1')
    expect(live.act).toHaveBeenCalledWith('place m a-b/1')
  })
  it('with confirmation a click only asks, and cancel leaves everything', () => {
    save({ confirm: true })
    const { session, live } = seated()
    session.play.pick('post:a-b/2')
    expect(session.play.asking?.text).toBe('place t a-b/2')
    expect(session.showCard).toBe(true)
    session.undoing.cancel()
    expect([session.play.asking, live.act.mock.calls.length]).toEqual([null, 0])
  })
  it('a wish for a shape ends with the turn', () => {
    const { session, live } = seated()
    session.play.setShape('m')
    session.play.reset()
    expect(session.play.shape).toBe('m')
    const next = position({ revision: 9 })
    move(live, { ...next, view: { ...next.view, turn: 5 } })
    session.take()
    expect(session.play.shape).toBe('t')
  })
  it('the displaced piece is put first; what is added may be chosen', () => {
    const { session, live } = seated()
    const both = ['put t a-b/2', 'put m a-b/2']
    displaced(live, 7, both, { what: 'displaced', player: 'p1', waiting: 'm', added: 1, route: 'a-b' })
    session.take()
    expect(session.text).toBe(
      'Bertram displaced you on Aachen–Bremen: put your merchant down; you may add 1 piece from your stock.',
    )
    session.play.pick('post:a-b/2')
    expect(live.act).toHaveBeenLastCalledWith('put m a-b/2')
    const later = seated()
    displaced(later.live, 8, [...both, 'done'], {
      what: 'displaced',
      player: 'p1',
      waiting: null,
      added: 1,
      route: 'a-b',
    })
    later.session.take()
    expect(later.session.text).toBe('You may add 1 more piece from your stock, free. Or finish.')
    later.session.play.pick('post:a-b/2')
    expect(later.session.play.options.map((d) => d.text)).toEqual(both)
  })
  it('the only full route is not asked for; its only gain is asked about once', () => {
    const gains = ['establish a-b office b', 'establish a-b skill book']
    const { session, live } = seated({ legal: [...gains, 'end'] })
    session.play.setVerb('establish')
    expect(session.play.options.map((d) => d.text)).toEqual(gains)
    session.play.pick('city:b')
    expect(live.act).toHaveBeenLastCalledWith(gains[0])
    const single = seated({ legal: [gains[0], 'end'] }).session
    single.play.setVerb('establish')
    expect(single.play.asking?.text).toBe(gains[0])
  })
  it('what was just decided on shows nothing until the pointer has left it', () => {
    const { session, live } = seated()
    session.play.point('post:a-b/2')
    session.play.pick('post:a-b/2')
    // While it is on its way the things of the board are gone.
    Object.assign(live, { sending: 'place t a-b/2' })
    session.play.point(null)
    Object.assign(live, { sending: '' })
    session.play.point('post:a-b/2')
    expect(session.play.hover).toBeNull()
    session.play.point(null)
    session.play.point('post:a-b/2')
    expect(session.play.hover).toBe('post:a-b/2')
  })
  it('a neutral piece in hand is called so', () => {
    const { session, live } = seated()
    const next = position({ revision: 9, phase: 'neutral-put', legal: ['put t a-b/2'] })
    move(live, { ...next, view: { ...next.view, phase: 'neutral-put' } })
    session.take()
    expect(session.text).toBe('Put the neutral trader on a glowing post.')
    expect(session.targets[0]!.label).toContain('Put the neutral trader on Aachen–Bremen')
  })
})

describe('hints', () => {
  it('are for whoever is alone among machines, where nothing is rated', () => {
    expect(seated().session.alone).toBe(true)
    const rated = seated()
    Object.assign(rated.live, { table: { ...table({ rated: true }), previews: false } })
    expect([rated.session.alone, rated.session.mayAsk]).toEqual([false, false])
  })
})

describe('a drag', () => {
  const pointer = (x: number, y: number, key = ''): PointerEvent => {
    const target = document.createElement('i')
    target.dataset.key = key
    return { clientX: x, clientY: y, target, button: 0, pointerType: 'mouse' } as unknown as PointerEvent
  }
  /** The board is drawn at its own size. */
  function spread(session: Session): void {
    document.body.innerHTML = '<div class="canvas"></div>'
    Object.assign(session.framing, { boardWidth: 1000, boardHeight: 742, box: { x: 0, y: 0, w: 1000, h: 742 } })
  }
  it('from the supply onto a post places that shape there', () => {
    const { session, live } = seated()
    spread(session)
    expect(session.dragging.down(pointer(5, 500, 'supply:m'))).toBe(true)
    session.dragging.move(pointer(7, 500))
    expect(session.dragging.piece).toBeNull()
    session.dragging.move(pointer(102, 12))
    expect(session.play.hover).toBe('post:a-b/1')
    expect(session.dragging.up(pointer(102, 12))).toBe(true)
    expect(live.act.mock.calls).toEqual([['place m a-b/1']])
  })
  it('let go beside everything does nothing, and a press without moving is a click', () => {
    const { session, live } = seated()
    spread(session)
    session.dragging.down(pointer(5, 500, 'supply:t'))
    session.dragging.move(pointer(500, 500))
    session.dragging.up(pointer(500, 500))
    expect(live.act).not.toHaveBeenCalled()
    session.dragging.down(pointer(5, 500, 'supply:t'))
    expect(session.dragging.up(pointer(5, 500))).toBe(false)
    expect(session.dragging.down(pointer(5, 500, 'post:a-b/1'))).toBe(false)
  })
  it('from post to post lifts at once and puts down when the piece is in hand', () => {
    const { session, live } = seated({ legal: ['lift a-b/1', 'end'] })
    spread(session)
    session.dragging.down(pointer(100, 10, 'post:a-b/1'))
    session.dragging.move(pointer(150, 10))
    expect(live.act.mock.calls).toEqual([['lift a-b/1']])
    session.dragging.up(pointer(199, 11))
    const lifted = { type: 'piece-moved', piece: 'p1:t', source: 'post:a-b/1', target: 'hand:p1' }
    live.log.push({ revision: 5, number: 5, kind: 'decision', player: 'p1', text: 'lift a-b/1', events: [lifted] })
    const next = position({ revision: 5, number: 5, phase: 'move', legal: ['put t a-b/1', 'put t a-b/2'] })
    move(live, { ...next, view: { ...next.view, phase: 'move' } } as unknown as Position)
    // The table of a test is no state: what was read of it is read again once something else has changed.
    session.history.at = 4
    session.history.at = null
    session.play.past = true
    session.play.past = false
    session.dragging.settle()
    expect(live.act.mock.calls.at(-1)).toEqual(['put t a-b/2'])
  })
})

describe('taking back', () => {
  it('undo goes one step, and what was undone can be done again', () => {
    const { session, live } = seated()
    live.log = [{ kind: 'decision', number: 4, text: 'place t a-b/2' }]
    session.undoing.undo()
    expect(live.undo).toHaveBeenCalledWith(3)
    expect(session.undoing.canRedo).toBe(true)
    session.undoing.redo()
    expect(live.act).toHaveBeenCalledWith('place t a-b/2')
  })
  it('an action half done is left as a whole', () => {
    const { session, live } = seated({ revision: 4, number: 4 })
    const inside = position({
      revision: 6,
      number: 6,
      phase: 'move',
      legal: ['put t a-b/2'],
      undo: { free: true, to: 5, reason: null },
    })
    ;(live as unknown as { position: Position }).position = { ...inside, view: { ...inside.view, phase: 'move' } }
    session.take()
    session.undoing.cancel()
    expect(live.undo).toHaveBeenCalledWith(4)
  })
  it('ending with actions left is asked about once', () => {
    const { session, live } = seated()
    press(session, 'f')
    expect(session.undoing.ending?.text).toBe('end')
    expect(live.act).not.toHaveBeenCalled()
    press(session, 'f')
    expect(live.act).toHaveBeenCalledWith('end')
  })
})

describe('keys', () => {
  it('choose verbs, shapes, windows and overlays', () => {
    const { session } = seated()
    press(session, 'p')
    expect(session.play.choice.verb).toBe('place')
    press(session, 'Escape')
    expect(session.play.choice.verb).toBeNull()
    press(session, 's')
    expect(session.play.shape).toBe('m')
    press(session, 'o')
    expect(session.overlay).toBe('control')
    press(session, 'c')
    expect(session.side).toBe('score')
    press(session, 'l')
    expect(session.window).toBe('list')
    press(session, '?')
    expect(session.window).toBe('list')
  })
  it('with the control key only undo and redo', () => {
    const { session, live } = seated()
    press(session, 'z', { ctrlKey: true })
    expect(live.undo).toHaveBeenCalled()
    press(session, 'p', { ctrlKey: true })
    expect(session.play.choice.verb).toBeNull()
  })
})
