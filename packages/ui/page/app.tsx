import { useEffect, useState } from 'preact/hooks'
import { Agents } from './agents-view.js'
import { Audit } from './audit-view.js'
import { Budget } from './budget-view.js'
import { connection, isReport, reportedAt, useAnswer } from './ask.js'
import { Edit } from './edit-view.js'
import { Evals } from './evals-view.js'
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
        {view === 'skills' && <Skills {...route} />}
        {view === 'budget' && <Budget about={about.value} />}
        {view === 'agents' && <Agents />}
        {view === 'audit' && <Audit />}
        {view === 'needs' && <Needs />}
        {view === 'evals' && <Evals />}
        {view === 'runs' && <Runs {...route} />}
        {view === 'sources' && about.value && <Sources about={about.value} />}
        {view === 'edit' && route.path !== undefined && <Edit key={route.path} name={name ?? ''} path={route.path} />}
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
  const [isOpen, setOpen] = useState(connection.isOpen)
  useEffect(() => {
    const look = (): void => setOpen(connection.isOpen)
    connection.told.add(look)
    return () => void connection.told.delete(look)
  }, [])
  return (
    <span role="status" class="problem">
      {isOpen ? '' : ' skills ui has ended: this no longer follows the disk.'}
    </span>
  )
}
