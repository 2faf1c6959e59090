import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './lib/settings.svelte'
import '../../src/hansa/art/tokens.css'
import './styles/base.css'

applyTheme()
mount(App, { target: document.getElementById('app')! })

// Installable, and able to say that the server is gone. Kept out of the way of the first load.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () =>
    setTimeout(() => void navigator.serviceWorker.register('/sw.js').catch(() => {}), 1500),
  )
}
