import { useEffect, useState } from 'preact/hooks'
import { ask, isReport, useAnswer } from './ask.js'
import { sentence } from './sentence.js'
import { Difference, SkillLink, Waiting } from './parts.js'
import type { MovedFile } from '../src/api.js'

/** Repair that this page wrote, and can take back. */
interface Applied {
  readonly name: string
  /** Text before the repair. */
  readonly before: string
  /** Version of the repaired file. */
  readonly version: string
}

const applied = new Map<string, Applied>()
const told = new Set<() => void>()

function remember(path: string, one: Applied | undefined): void {
  if (one === undefined) applied.delete(path)
  else applied.set(path, one)
  for (const tell of told) tell()
}

function useApplied(): ReadonlyMap<string, Applied> {
  const [all, setAll] = useState(() => new Map(applied))
  useEffect(() => {
    const look = (): void => setAll(new Map(applied))
    told.add(look)
    look()
    return () => {
      told.delete(look)
    }
  }, [])
  return all
}

/** Writes a text in place of the version that it was made from. Throws a sentence if the file is another one by now. */
async function write(path: string, text: string, version: string): Promise<string> {
  const saved = await ask('save', { path, text, version })
  if ('version' in saved) return saved.version
  throw new Error([saved.problem.message, saved.problem.hint].filter(Boolean).join(' '))
}

async function apply(name: string, path: string): Promise<void> {
  const [{ repair }, file] = await Promise.all([ask('skill', { name, path }), ask('file', { path })])
  if (repair === null) throw new Error('The file needs no repair any more.')
  if (repair.before !== file.text) throw new Error('The file has changed meanwhile. Look at it again.')
  remember(path, { name, before: repair.before, version: await write(path, repair.after, file.version) })
}

async function undo(path: string): Promise<void> {
  const one = applied.get(path)
  if (one === undefined) return
  await write(path, one.before, one.version)
  remember(path, undefined)
}

/** Button that writes the repair of a file, as `skills lint --fix` does. */
export function Apply({ name, path }: { readonly name: string; readonly path: string }) {
  return isReport ? undefined : <Doing label="Apply" of={name} act={() => apply(name, path)} />
}

/** Repairs of this page that can be taken back. */
export function Undo({ path }: { readonly path?: string | undefined }) {
  const all = [...useApplied()].filter(([one]) => path === undefined || one === path)
  if (all.length === 0) return undefined
  return (
    <ul class="plain done">
      {all.map(([one, { name }]) => (
        <li key={one}>
          Repaired <SkillLink name={name} path={one} />. <Doing label="Undo" of={name} act={() => undo(one)} />
        </li>
      ))}
    </ul>
  )
}

async function move(path: string, isBack: boolean): Promise<void> {
  const moved = await ask('move', { path, isBack })
  if ('problem' in moved) throw new Error(moved.problem)
}

/** Button that moves a file which is nearly a skill, as `skills doctor --fix` does, with the new path. */
export function Move({ path, to }: { readonly path: string; readonly to: string }) {
  return (
    <>
      {!isReport && <Doing label="Apply" of={path} act={() => move(path, false)} />}
      <span class="hint">
        moves it to <code>{to}</code>
      </span>
    </>
  )
}

/** Files that were moved from this page, which can be moved back. */
export function MoveBack({ moved }: { readonly moved: readonly MovedFile[] }) {
  if (moved.length === 0) return undefined
  return (
    <ul class="plain done">
      {moved.map(({ from, to }) => (
        <li key={from}>
          Moved <code>{from}</code> to <code>{to}</code>. <Doing label="Undo" of={from} act={() => move(from, true)} />
        </li>
      ))}
    </ul>
  )
}

interface DoingProps {
  readonly label: string
  /** Skill, for a person who hears the button alone. */
  readonly of: string
  readonly act: () => Promise<void>
}

function Doing({ label, of, act }: DoingProps) {
  const [said, setSaid] = useState<{ readonly text: string; readonly isProblem: boolean }>()
  const start = (): void => {
    setSaid({ text: 'Writing …', isProblem: false })
    act().then(
      () => setSaid(undefined),
      (error: unknown) => setSaid({ text: sentence(error), isProblem: true }),
    )
  }
  return (
    <>
      <button type="button" aria-label={`${label}: ${of}`} disabled={said?.isProblem === false} onClick={start}>
        {label}
      </button>{' '}
      <span role="status" class={said?.isProblem === true ? 'problem' : 'quiet'}>
        {said?.text}
      </span>
    </>
  )
}

/** Shows what a repair would change. It is asked for when a person opens it. */
export function Change({ name, path }: { readonly name: string; readonly path: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What it changes</summary>
      {isOpen && <Lines name={name} path={path} />}
    </details>
  )
}

function Lines({ name, path }: { readonly name: string; readonly path: string }) {
  const { value, problem } = useAnswer('skill', { name, path })
  if (value === undefined) return <Waiting problem={problem} what={`Reading ${name}`} />
  return value.repair === null ? <p>Nothing any more.</p> : <Difference {...value.repair} />
}
