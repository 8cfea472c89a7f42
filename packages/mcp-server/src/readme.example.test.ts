// #region usage
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { serveStdio, SkillsServer } from '@skills/mcp-server'

/** Serves the skills of a project until the client closes its end. */
async function serve(cwd: string) {
  const onDiagnostic = ({ message }: { readonly message: string }) => process.emitWarning(message)
  const distribution = standard({ host: { cwd }, onDiagnostic })
  const skills = createSkills(distribution)
  const server = await SkillsServer.open({ skills, distribution, onDiagnostic })
  await serveStdio(server)
  await server.close()
  await skills.close()
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'

test('serves this process’s own streams, as the README shows', async () => {
  const tree = tempTree({ '.git/HEAD': '' })
  const input = new PassThrough()
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(input, { fd: 0 as const }) as never)
  onTestFinished(() => {
    vi.restoreAllMocks()
    tree.dispose()
  })
  const served = serve(tree.path)
  input.end()
  await expect(served).resolves.toBeUndefined()
})
