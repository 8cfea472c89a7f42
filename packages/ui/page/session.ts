/** Key under which a tab stores its secret until it is closed. Other origins, including other ports, cannot read it. */
const kept = 'skills-ui'
/** Milliseconds to wait for an answer of another tab of this page. */
const answerMs = 300

interface Secret {
  readonly secret: string
  /** True if another page led here, with the token in its link. */
  readonly isLed: boolean
}

let secret = ''

/** Value of the header of every request. A browser does not add it by itself, as it does with a cookie. */
export const authorization = (): string => `Bearer ${secret}`

/**
 * Lets this tab in with the token in its address, which is removed at once, or with the secret that this tab or another
 * tab of this page stored. If another page led here without a token, nothing is shown, because that page could make a
 * person click on something they do not see. Rejects with a sentence for the person.
 */
export async function enter(): Promise<void> {
  const token = tokenIn(location.hash)
  if (token !== undefined) history.replaceState(null, '', '/')
  // A new address may be opened in a tab that already shows the page. Then only the part after # changes.
  addEventListener('hashchange', () => {
    if (tokenIn(location.hash) !== undefined) location.reload()
  })
  const isLed = document.getElementById('page')?.dataset['ledHere'] !== undefined
  const entered = token === undefined ? undefined : await enterBy(token)
  if (entered !== undefined && 'secret' in entered) keep({ secret: entered.secret, isLed })
  else secret = keptSecret(isLed) ?? (isLed ? undefined : await secretOfAnotherTab()) ?? ''
  if (secret === '')
    throw new Error(entered !== undefined && 'problem' in entered ? entered.problem : isLed ? ledHere : notLetIn)
  const tabs = new BroadcastChannel(kept)
  tabs.addEventListener('message', ({ data }) => {
    if (data === 'asks' && secret !== '') tabs.postMessage({ secret })
  })
}

const ledHere = 'Another page led here, so nothing is shown.'
const notLetIn =
  'This tab is not let in. Open the address that skills ui printed, or go on in the tab where it is open.'

/** Removes a secret that the server does not know, because it was restarted. */
export function leave(): void {
  secret = ''
  sessionStorage.removeItem(kept)
}

const tokenIn = (hash: string): string | undefined => /^#token=([\w-]+)$/.exec(hash)?.[1]

async function enterBy(token: string): Promise<{ readonly secret: string } | { readonly problem: string }> {
  const response = await fetch('/api/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) return { problem: (await response.text()).trim() }
  return (await response.json()) as { readonly secret: string }
}

function keep(found: Secret): void {
  secret = found.secret
  sessionStorage.setItem(kept, JSON.stringify(found))
}

function keptSecret(isLed: boolean): string | undefined {
  const found = JSON.parse(sessionStorage.getItem(kept) ?? 'null') as Secret | null
  return found !== null && (!isLed || found.isLed) ? found.secret : undefined
}

async function secretOfAnotherTab(): Promise<string | undefined> {
  const tabs = new BroadcastChannel(kept)
  const found = await new Promise<string | undefined>(resolve => {
    tabs.addEventListener('message', ({ data }) => {
      if (typeof data === 'object') resolve((data as Secret).secret)
    })
    tabs.postMessage('asks')
    setTimeout(resolve, answerMs)
  })
  tabs.close()
  if (found !== undefined) keep({ secret: found, isLed: false })
  return found
}
