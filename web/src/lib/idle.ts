/** When the browser has a moment: what is not seen yet need not hold up what is. */
export const idle = (): Promise<void> =>
  new Promise((done) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => done(), { timeout: 400 })
    else setTimeout(done, 30)
  })
