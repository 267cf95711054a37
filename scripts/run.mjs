// Entry of every npm script: refuses an unsuited Node before any newer syntax is parsed, then
// lets launch.mjs install what is missing and run the command. No package may be imported here.
const minimum = "20.19"
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `swaptape needs Node ${minimum} or newer (20.x, 22.x or 24.x), this is ${process.versions.node}.\n` +
      "Install it from your distribution, or from https://nodejs.org, and run the command again."
  )
  process.exit(1)
}

import("./launch.mjs")
  .then(({ launch }) => launch(process.argv[2], process.argv.slice(3)))
  .then(code => {
    process.exitCode = code
  })
  .catch(error => {
    console.error(error.expected ? `${error.source}: ${error.message}` : error)
    process.exitCode = 1
  })
