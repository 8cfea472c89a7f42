import { Problems } from './parts.js'
import { counted } from './words.js'
import type { About } from '../src/api.js'

/** Shows where skills are searched, in order of precedence, and the state of each place. */
export function Sources({ about: { precedence, places, incomplete, problems } }: { readonly about: About }) {
  const rank = (provider: string): number => {
    const at = precedence.indexOf(provider)
    return at === -1 ? precedence.length : at
  }
  const shown = places.toSorted((one, other) => rank(one.provider) - rank(other.provider))
  const words = { read: '', missing: 'not there', unreadable: 'cannot be read', skipped: 'left out' }
  return (
    <div class="column scrolls">
      <h1>Where skills come from</h1>
      <p class="quiet">Where two have one name, the source further up wins.</p>
      {incomplete.map(({ provider, reason }) => (
        <p key={provider} class="problem">
          {provider} did not finish, so skills of it may be missing: {reason}
        </p>
      ))}
      <table>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Place</th>
            <th scope="col">Skills</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ provider, path, state, found, note }) => (
            <tr key={`${provider} ${path}`} class={state}>
              <td>{provider}</td>
              <td>
                <code>{path}</code>
                {note !== undefined && <p class="hint">{note}</p>}
              </td>
              <td>{state === 'read' ? counted(found, 'skill') : words[state]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>What is wrong with them</h2>
      {problems.length === 0 ? <p>Nothing was reported.</p> : <Problems problems={problems} />}
    </div>
  )
}
