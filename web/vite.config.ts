import { existsSync, readFileSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

/** The fonts' licence travels with the fonts. */
const licences = {
  name: 'licences',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void }) {
    for (const font of ['alegreya', 'alegreya-sans', 'grenze-gotisch']) {
      this.emitFile({
        type: 'asset',
        fileName: `licences/${font}.txt`,
        source: readFileSync(`node_modules/@fontsource/${font}/LICENSE`, 'utf8'),
      })
    }
  },
}

/** The pictures of "How to play" are drawn by the library: a page without them would only look whole. */
const book = {
  name: 'book',
  apply: 'build' as const,
  buildStart() {
    if (!existsSync('book/shared.json'))
      throw new Error(
        'The pictures of "How to play" are missing: run `make page`, or `python docs/_ext/page_book.py web/book` first.',
      )
  },
}

// The built page lies inside the Python package, so that playing needs nothing but Python.
export default defineConfig({
  plugins: [svelte(), svelteTesting(), licences, book],
  build: {
    outDir: '../src/hansa/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  // Colours, icons and rules belong to the package and its documents: one source for pictures, page and books.
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node', setupFiles: ['tests/window.ts'], testTimeout: 30_000 },
})
