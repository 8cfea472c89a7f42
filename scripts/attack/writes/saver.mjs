// @ts-check
// node saver.mjs HOME ROOT FILE COUNT: saves a skill again and again, as the page does.
import { systemClock } from '@skills/core'
import { openToEdit, saveText } from '@skills/inspect/internal'

const [home = '', root = '', file = '', count = '1'] = process.argv.slice(2)
const host = { env: {}, home, platform: process.platform, clock: systemClock }
for (let at = 0; at < Number(count); at++)
  try {
    const opened = await openToEdit(file, [root])
    if ('version' in opened)
      await saveText(file, `---\nname: greet\ndescription: x ${at}\n---\ntheirs\n`, {
        version: opened.version,
        roots: [root],
        host,
      })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
