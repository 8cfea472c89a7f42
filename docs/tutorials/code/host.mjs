// @ts-check
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { AgentSkills } from '@skills/invocation/agent-skills'

const distribution = standard({ onDiagnostic: ({ severity, message }) => console.error(`${severity}: ${message}`) })
const skills = createSkills(distribution)
const agent = await AgentSkills.open(skills, {
  distribution,
  // A question: no one can be asked here, so it is said what it was about.
  onAsk({ decision }) {
    console.log(`Asked: ${decision.message}`)
    return 'deny'
  },
})
try {
  console.log('# The system prompt')
  console.log(await agent.system())

  console.log('# What a person typed')
  console.log(await agent.turn('/greet Ann'))

  const tool = agent.tools.find(({ name }) => name === 'Skill')
  for (const skill of ['greet', 'release']) {
    console.log(`# The model calls Skill with ${skill}`)
    const answer = await tool?.call({ skill, args: 'Ben' }, { toolUseId: `call-${skill}` })
    console.log(answer?.text)
  }
} finally {
  await agent.end()
  await skills.close()
}
