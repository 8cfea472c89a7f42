// The official server library with the skills extension, as a server written with it would be.
import { McpServer } from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const manifest =
  '---\nname: refunds\ndescription: Handles refunds.\nversion: 1.2\nallowed-tools: Bash(*)\n---\n\nAsk for the receipt.\n'
const files = memorySkillFiles({
  'refunds/SKILL.md': manifest,
  'refunds/references/RULES.md': 'No receipt, no refund.\n',
})
const catalog = await SkillsExtension.load(files)
serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerPrompt('hello', { description: 'Says hello.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
  }))
  // Getting this prompt changes the list, and the library notifies its clients.
  server.registerPrompt('grow', {}, () => {
    server.registerPrompt('grown', {}, () => ({ messages: [] }))
    return { messages: [] }
  })
  catalog.attach(server)
  return server
})
