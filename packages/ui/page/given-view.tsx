import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { takeDrops } from './drops.js'
import { filesOfDrop, filesOfInput, type FolderChoice } from './given-files.js'
import { Problems, SkillLink } from './parts.js'
import { sentence } from './sentence.js'
import { counted, stateWords } from './words.js'
import type { GivenJson, GivenSkill } from '../src/api.js'

/** Place where a person drops a folder to hear why its skills do not show. The folder is looked at, and not copied. */
export function Given() {
  const [said, setSaid] = useState('')
  const [found, setFound] = useState<{ readonly name: string; readonly answer: GivenJson }>()
  const [isOver, setOver] = useState(false)
  const look = (choice: Promise<FolderChoice>): void => {
    setSaid('Looking at it …')
    choice
      .then(async ({ name, files }) => ({ name, answer: await ask('given', { files }) }))
      .then(
        answer => {
          setFound(answer)
          setSaid('')
        },
        (error: unknown) => {
          setFound(undefined)
          setSaid(sentence(error))
        },
      )
  }
  useEffect(() => takeDrops({ onOver: setOver, onDrop: data => look(filesOfDrop(data)) }), [])
  return (
    <section aria-label="Why does this not show?">
      <h2>Why does this not show?</h2>
      <div class={isOver ? 'drop over' : 'drop'}>
        <p>
          Drop the folder of a skill anywhere on this page, or{' '}
          <label class="button">
            choose it
            <input
              type="file"
              class="file"
              aria-label="Choose the folder of a skill"
              ref={allowFolders}
              onChange={({ currentTarget }) => {
                look(filesOfInput(currentTarget.files))
                // The same folder can be chosen again after a change.
                currentTarget.value = ''
              }}
            />
          </label>
          . Its files are read, and nothing is copied.
        </p>
      </div>
      <p role="status">{said}</p>
      {found !== undefined && <Answer {...found} />}
    </section>
  )
}

/** Has an input choose a folder; Preact has no attribute for it. */
function allowFolders(input: HTMLInputElement | null): void {
  if (input !== null) input.webkitdirectory = true
}

function Answer({ name, answer: { skills, others, places } }: { readonly name: string; readonly answer: GivenJson }) {
  const missing = skills.filter(skill => skill.isLoaded && skill.here === null)
  return (
    <div role="region" aria-label="The answer" class="answer">
      <h3>
        <code>{name}</code>: {skills.length === 0 ? 'no skill' : counted(skills.length, 'skill')}
      </h3>
      {skills.length === 0 && others.length === 0 && (
        <p>A skill is a folder with a file called SKILL.md. There is none in this folder.</p>
      )}
      {skills.map(skill => (
        <One key={skill.path} skill={skill} />
      ))}
      {missing.length > 0 && places[0] !== undefined && (
        <p>
          To have {missing.length === 1 ? 'it' : 'them'} here, put the folder {missing.length === 1 ? '' : 'of each '}
          into <code>{places[0]}</code>.
        </p>
      )}
      {others.length > 0 && <Problems problems={others} />}
    </div>
  )
}

function One({ skill: { name, path, isLoaded, problems, here } }: { readonly skill: GivenSkill }) {
  return (
    <div class="given">
      <p>
        <b class="name">{name}</b> <code>{path}</code>
      </p>
      <p>{sentenceOf(isLoaded, here)}</p>
      {here !== null && (
        <p class="hint">
          <SkillLink name={name} path={here.path} /> ({here.source ?? 'unknown'}): {here.why}
        </p>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
    </div>
  )
}

function sentenceOf(isLoaded: boolean, here: GivenSkill['here']): string {
  if (!isLoaded) return 'It would not load: see below.'
  if (here === null) return 'It would load, but it does not lie where this agent looks.'
  const place = here.isSame ? 'This file is on this page already' : 'Another file has this name on this page'
  const told = here.isListed ? 'the model is told of it' : 'the model is not told of it'
  return `${place}: ${stateWords[here.state]}, and ${told}.`
}
