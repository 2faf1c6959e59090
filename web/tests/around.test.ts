// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around } from '../src/lib/circle.svelte'
import { mine } from '../src/lib/mine.svelte'
import { BOARDS, place } from '../src/lib/router.svelte'
import Asked from '../src/ui/Asked.svelte'
import Friends from '../src/ui/Friends.svelte'
import Header from '../src/ui/Header.svelte'
import Invitations from '../src/ui/Invitations.svelte'
import Tie from '../src/ui/Tie.svelte'
import { fakeServer } from './fake'

const ALONE = { follows: [], blocks: [], invitations: [] }
afterEach(() => (mine.here = null))

describe('the people around one', () => {
  const circle = (more: object = {}): object => ({ ...ALONE, ...more })
  beforeEach(() => (around.now = ALONE))
  const friend = { person: { id: 'b', name: 'Bertram' }, here: true, game: null }
  it('one follows or blocks somebody, and no longer', async () => {
    const asked = fakeServer({
      'PUT /me/circle/b': circle({ follows: [friend] }),
      'DELETE /me/circle/b': circle(),
    })
    render(Tie, { person: 'b' })
    await fireEvent.click(screen.getByRole('button', { name: 'Follow' }))
    await screen.findByText(/You follow this person/)
    expect(asked.at(-1)?.body).toEqual({ kind: 'follow' })
    await fireEvent.click(screen.getByRole('button', { name: 'Unfollow' }))
    await screen.findByRole('button', { name: 'Follow' })
    fakeServer({ 'PUT /me/circle/b': circle({ blocks: [friend.person] }) })
    await fireEvent.click(screen.getByRole('button', { name: 'Block' }))
    await screen.findByText(/cannot sit down with you/)
    expect(screen.queryByRole('button', { name: /follow/i })).toBe(null)
  })
  it('friends who do not sit at the table are invited with a click', async () => {
    const other = { ...friend, person: { id: 'k', name: 'Katrijn' } }
    const both = circle({ follows: [friend, other] })
    const asked = fakeServer({ 'GET /me/circle': both, 'POST /games/g1/invitations': both })
    render(Friends, { game: 'g1', seated: ['k', null] })
    await fireEvent.click(await screen.findByRole('button', { name: 'Invite' }))
    await screen.findByRole('button', { name: 'Invited' })
    expect(asked.at(-1)?.body).toEqual({ person: 'b' })
    expect(screen.queryByText('Katrijn')).toBe(null)
  })
  it('an invitation leads to its table', async () => {
    fakeServer({ 'GET /me/circle': circle({ invitations: [{ game: 'g7', by: friend.person, at: 1 }] }) })
    await around.refresh()
    render(Invitations)
    expect(screen.getByText('Bertram invites you to a table.')).toBeTruthy()
    expect(screen.getByRole('link').getAttribute('href')).toBe('/g/g7')
  })
  it('wherever one is, but for the table itself, and it can be declined', async () => {
    const asked = fakeServer({
      'GET /me/circle': circle({ invitations: [{ game: 'g7', by: friend.person, at: 1 }] }),
      'DELETE /games/g7/invitations': circle(),
    })
    place.page = 'rules'
    await around.refresh()
    render(Asked)
    mine.here = { id: 'g7', decides: false }
    await waitFor(() => expect(screen.queryByText(/invites you/)).toBe(null))
    mine.here = null
    await fireEvent.click(await screen.findByRole('button', { name: 'No, thanks' }))
    await waitFor(() => expect(screen.queryByText(/invites you/)).toBe(null))
    expect(asked.at(-1)?.method).toBe('DELETE')
  })
})

describe('what other tables ask', () => {
  it('makes room at the lower edge of a page, and never lies over what one decides with', () => {
    place.page = 'rules'
    const { container } = render(Asked)
    const asked = container.querySelector('.asked')!
    expect(asked.classList.contains('playing')).toBe(false)
    expect(document.documentElement.style.getPropertyValue('--asked')).toBe('0px')
    for (const page of BOARDS) {
      place.page = page
      flushSync()
      expect(asked.classList.contains('playing'), page).toBe(true)
    }
  })
})

describe('the menu', () => {
  it('leads wherever the header leads: on a phone there is nothing else', async () => {
    render(Header)
    const wanted = [...document.querySelectorAll('header nav a')].map((a) => a.getAttribute('href'))
    expect(wanted.length).toBeGreaterThan(5)
    await fireEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const offered = [...document.querySelectorAll('dialog nav a')].map((a) => a.getAttribute('href'))
    expect(wanted.filter((href) => !offered.includes(href))).toEqual([])
  })
})
