import { render } from 'preact'
import { App } from './app.js'
import { follow, isReport } from './ask.js'
import { watchDrafts } from './drafts.js'
import { watchDrops } from './drops.js'
import { watchFailures } from './failures.js'
import { enter } from './session.js'
import { sentence } from './sentence.js'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './style.css'

watchFailures()
watchDrops()
const page = document.getElementById('page')
if (page !== null)
  if (isReport) render(<App />, page)
  else
    enter().then(
      () => {
        follow()
        watchDrafts()
        render(<App />, page)
      },
      (error: unknown) => render(<Outside why={sentence(error)} />, page),
    )

/** Shows why a tab is not let in, and what to do. */
function Outside({ why }: { readonly why: string }) {
  return (
    <main class="column">
      <h1>Skills</h1>
      <p class="problem" role="alert">
        {why}
      </p>
      <p>
        <a href="/">Try again</a> once the page is open in another tab of this browser.
      </p>
    </main>
  )
}
