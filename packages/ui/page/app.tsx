import { useEffect, useState } from 'preact/hooks'
import { Agents } from './agents-view.js'
import { Audit } from './audit-view.js'
import { Budget } from './budget-view.js'
import { connection, isReport, reportedAt, useAnswer } from './ask.js'
import { Edit } from './edit-view.js'
import { useDrafts } from './drafts.js'
import { useFailures } from './failures.js'
import { Evals } from './evals-view.js'
import { Guarded } from './guarded.js'
import { counted } from './words.js'
import { Needs } from './needs-view.js'
import { linkTo, type Route } from './address.js'
import { useRoute } from './route.js'
import { Runs } from './runs-view.js'
import { Skills } from './skills-view.js'
import { Sources } from './sources-view.js'
import type { ComponentChild } from 'preact'
import type { About } from '../src/api.js'

interface View {
  readonly title: string
  readonly show: (route: Route, about: About | undefined) => ComponentChild
}

/** Views by the first part of an address, in the order of the menu. The first address has the list and the landing. */
const views: Readonly<Record<string, View>> = {
  home: { title: 'Skills', show: (route, about) => <Skills {...route} about={about} /> },
  budget: { title: 'Budget', show: (route, about) => <Budget route={route} about={about} /> },
  agents: { title: 'Agents', show: route => <Agents {...route} /> },
  audit: { title: 'Audit', show: () => <Audit /> },
  needs: { title: 'Needs', show: () => <Needs /> },
  evals: { title: 'Evals', show: () => <Evals /> },
  runs: { title: 'Runs', show: route => <Runs {...route} /> },
  sources: { title: 'Sources', show: (_route, about) => about && <Sources about={about} /> },
}

export function App() {
  const route = useRoute()
  const drafts = useDrafts()
  const about = useAnswer('about', {})
  const { name } = route
  // The list of all skills is the landing, with the list alone on a narrow screen.
  const view = route.view === 'skills' ? 'home' : route.view
  const failures = useFailures()
  const shown = Object.entries(views).filter(([id]) => !(isReport && id === 'runs'))
  useEffect(() => {
    const { title } = shown.find(([id]) => id === view)?.[1] ?? { title: 'Skills' }
    document.title = name === undefined ? `${title} · Skills` : `${name} · ${title}`
  }, [view, name])
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <header>
        <nav aria-label="Views">
          {shown.map(([id, { title }]) => (
            <a key={id} href={linkTo(id)} aria-current={id === view ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <p class="where">
          {about.value && (
            <>
              <span title="The agent whose rules are followed">{about.value.distribution}</span>{' '}
              <code title="The folder that is looked from">{about.value.cwd}</code>
            </>
          )}
          {reportedAt !== undefined && <span> as of {reportedAt.slice(0, 16).replace('T', ' ')} UTC</span>}
          <Connection />
        </p>
        {drafts.size > 0 && (
          <p class="drafts">
            {counted(drafts.size, 'draft')}:{' '}
            {Array.from(drafts, ([path, draft]) => (
              <a key={path} href={linkTo('edit', draft.name, path)} title={path}>
                {draft.name}
              </a>
            ))}
          </p>
        )}
      </header>
      <main id="main" tabIndex={-1} class={`view-${view}`}>
        {about.problem !== undefined && <p class="problem">{about.problem}</p>}
        {failures.length > 0 && (
          <p class="problem" role="alert">
            Something of this page failed, and what it shows may not be whole. Load it again. ({failures.join(' ')})
          </p>
        )}
        <Guarded key={view === 'edit' ? route.path : view}>
          {Object.hasOwn(views, view) && views[view]?.show(route, about.value)}
          {view === 'edit' && route.path !== undefined && <Edit name={name ?? ''} path={route.path} />}
        </Guarded>
      </main>
    </>
  )
}

/** Moves the focus to the main part. A link to an anchor would be read as the address of a view. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** Warns that the page no longer follows the disk. */
function Connection() {
  const [problem, setProblem] = useState(connection.problem)
  useEffect(() => {
    const look = (): void => setProblem(connection.problem)
    connection.told.add(look)
    return () => {
      connection.told.delete(look)
    }
  }, [])
  return (
    <span role="status" class="problem">
      {problem}
    </span>
  )
}
