// @ts-check
import { openSkills } from '@skills/host'

const skills = await openSkills('standard', {
  // No person can be asked here, so the question is printed and denied.
  onAsk({ decision }) {
    console.log(`Asked: ${decision.message}`)
    return 'deny'
  },
})
try {
  const session = await skills.session()
  console.log('# The system prompt')
  console.log(await session.system())

  console.log('# What a person typed')
  console.log((await session.send('/greet Ann')).text)

  const tool = session.tools().find(({ name }) => name === 'Skill')
  for (const skill of ['greet', 'release']) {
    console.log(`# The model calls Skill with ${skill}`)
    const answer = await tool?.execute({ skill, args: 'Ben' }, { toolUseId: `call-${skill}` })
    console.log(answer?.text)
  }
  await session.end()
} finally {
  await skills.close()
}
