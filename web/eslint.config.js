import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

export default ts.config(
  { ignores: ['node_modules', 'shots'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    // Prettier leaves texts, templates and comments as long as they are. The words of a language stay in one piece.
    ignores: ['src/i18n/*'],
    rules: { 'max-len': ['error', { code: 140, ignoreUrls: true }] },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      // The ground of a board is drawn by our own server; nothing typed by a person reaches {@html}.
      'svelte/no-at-html-tags': 'off',
      // Links are hash routes of this page, there is no SvelteKit router to resolve them.
      'svelte/no-navigation-without-resolve': 'off',
      // Sets and maps inside a derivation are made anew each time, they need no reactivity.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
)
