import { render } from 'preact'
import { App } from './app.js'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './style.css'

// The token let this page in, and works once: it has no place in the history.
if (location.search !== '') history.replaceState(null, '', `${location.pathname}${location.hash}`)

const page = document.getElementById('page')
if (page !== null) render(<App />, page)
