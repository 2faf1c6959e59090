/** Names for seats nobody named: merchants of the time. */
export const NAMES = ['Alheyd', 'Bertram', 'Katrijn', 'Detmar', 'Gese']

export const unlike = (taken: string[], index: number): string => {
  const free = NAMES.filter((n) => !taken.includes(n))
  return free[index % free.length] ?? NAMES[index % NAMES.length]!
}
