#!/usr/bin/env node
// @ts-check
// `npm publish` in a package's folder would publish ranges that only this repository understands, and links that lead
// nowhere.
console.error(
  'A package is not published from its folder. Run "npm run release" in the root of the repository: it rehearses the release; "npm run release -- --publish" publishes.',
)
process.exit(1)
