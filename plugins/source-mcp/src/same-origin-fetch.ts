import { maskSecrets } from '@skills/state/secrets'

const mostRedirects = 5

/**
 * Calls the platform's `fetch` and follows redirects only within the origin. After a redirect to another origin, the
 * platform would remove only the header with credentials that it knows, and send all others.
 */
export async function sameOriginFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  let url = new URL(input)
  for (let redirects = 0; ; redirects++) {
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) return answer
    await answer.body?.cancel()
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    // A request is repeated unchanged, or not at all.
    const isAgain = [307, 308].includes(answer.status) || (init?.method ?? 'GET') === 'GET'
    if (target?.origin !== url.origin || !isAgain || redirects >= mostRedirects)
      throw new Error(
        `${maskSecrets(url.href)} redirects to ${maskSecrets(target?.href ?? JSON.stringify(location))}, which is not followed: configure that address if you trust it`,
      )
    url = target
  }
}
