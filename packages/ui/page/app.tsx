import { useEffect, useState } from 'preact/hooks'
import { Agents } from './agents-view.js'
import { Audit } from './audit-view.js'
import { Budget } from './budget-view.js'
import { connection, isReport, reportedAt, useAnswer } from './ask.js'
import { Edit } from './edit-view.js'
import { useFailures } from './failures.js'
import { Evals } from './evals-view.js'
import { Guarded } from './guarded.js'
import { Needs } from './needs-view.js'
import { linkTo, useRoute } from './route.js'
import { Runs } from './runs-view.js'
import { Skills } from './skills-view.js'
import { Sources } from './sources-view.js'

const views = {
  skills: 'Skills',
  budget: 'Budget',
  agents: 'Agents',
  audit: 'Audit',
  needs: 'Needs',
  evals: 'Evals',
  runs: 'Runs',
  sources: 'Sources',
}

export function App() {
  const route = useRoute()
  const about = useAnswer('about', {})
  const { view, name } = route
  const failures = useFailures()
  const shown = Object.entries(views).filter(([id]) => !(isReport && id === 'runs'))
  useEffect(() => {
    const title = shown.find(([id]) => id === view)?.[1] ?? 'Skills'
    document.title = name === undefined ? `${title} · Skills` : `${name} · ${title}`
  }, [view, name])
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <header>
        <nav aria-label="Views">
          {shown.map(([id, title]) => (
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
      </header>
      <main id="main" tabIndex={-1} class={`view-${view}`}>
        {about.problem !== undefined && <p class="problem">{about.problem}</p>}
        {failures.length > 0 && (
          <p class="problem" role="alert">
            Something of this page failed, and what it shows may not be whole. Load it again. ({failures.join(' ')})
          </p>
        )}
        <Guarded key={view === 'edit' ? route.path : view}>
          {view === 'skills' && <Skills {...route} />}
          {view === 'budget' && <Budget about={about.value} />}
          {view === 'agents' && <Agents />}
          {view === 'audit' && <Audit />}
          {view === 'needs' && <Needs />}
          {view === 'evals' && <Evals />}
          {view === 'runs' && <Runs {...route} />}
          {view === 'sources' && about.value && <Sources about={about.value} />}
          {view === 'edit' && route.path !== undefined && <Edit name={name ?? ''} path={route.path} />}
        </Guarded>
      </main>
    </>
  )
}

/** A link to an anchor would be taken for a view. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** Says that what is shown no longer follows the disk. */
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
