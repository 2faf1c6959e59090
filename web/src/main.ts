import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './lib/settings.svelte'
import './styles/tokens.css'
import './styles/base.css'

applyTheme()
mount(App, { target: document.getElementById('app')! })
