import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The built page lies inside the Python package, so that playing needs nothing but Python.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/hansa/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
})
