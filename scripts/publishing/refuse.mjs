#!/usr/bin/env node
// @ts-check
// Stops `npm publish` in a package's folder: it would publish ranges that only this repository understands, and broken
// links.
console.error(
  'A package is not published from its folder. Run "npm run release" in the root of the repository: it rehearses the release; "npm run release -- --publish" publishes.',
)
process.exit(1)
