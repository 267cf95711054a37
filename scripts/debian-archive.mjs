import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseSources } from "./apt-sources.mjs"
import { runToEnd } from "./child.mjs"
import { SetupError } from "./setup-error.mjs"

const suite = "trixie"
const archiveKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

/** @type {(path: string) => string} */
const readIfThere = path => (existsSync(path) ? readFileSync(path, "utf8") : "")

/**
 * The mirror this machine itself installs Debian from, with the keyring it trusts for it.
 *
 * @returns {{ uris: string[], keyring: string }}
 */
const machineMirror = () => {
  const folder = "/etc/apt/sources.list.d"
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const files = ["/etc/apt/sources.list", ...names.map(name => join(folder, name))]
  const sources = files
    .filter(path => path.endsWith(".list") || path.endsWith(".sources"))
    .flatMap(path => parseSources(path, readIfThere(path)))
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readIfThere("/etc/os-release"))?.[1]
  const releases = new Set([codename, suite, "stable", "testing", "sid", "unstable"])
  const source = sources.find(
    ({ suites, components }) =>
      components.includes("main") && suites.some(name => releases.has(name))
  )
  if (!source) throw new SetupError("apt knows no mirror of the Debian archive here")
  const keyring = source.signedBy ?? archiveKeyring
  if (!existsSync(keyring)) throw new SetupError(`the keyring ${keyring} is missing`)
  return { uris: source.uris, keyring }
}

/**
 * An apt configuration whose every folder is private. It is read after the machine's own, so
 * proxies and credentials stay, while hooks and pins made for the system's state are dropped.
 *
 * @param {string} directory where the private state lives
 */
const privateConfiguration = directory => `
Dir::State "${directory}/state";
Dir::State::status "${directory}/status";
Dir::Cache "${directory}/cache";
Dir::Etc::sourcelist "${directory}/trixie.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Default-Release;
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::PDiffs "false";
Acquire::Retries "3";
`

/**
 * Downloads a package of Debian trixie with the machine's own apt, mirror and keyring (so its
 * signatures are verified), without root and without touching the system's package state.
 *
 * APT::Sandbox::User is root because apt's own user may not enter the folder of a clone; that
 * costs nothing here, since the index is signed and the package is hashed in the index.
 *
 * @param {string} name the package
 * @param {string} directory an existing private folder for apt's state and the result
 * @returns {Promise<string>} the path of the .deb
 * @throws {SetupError} when this is no Debian, or apt fails
 */
export const downloadFromTrixie = async (name, directory) => {
  if (!/^ID=debian$/m.test(readIfThere("/etc/os-release")))
    throw new SetupError("this is not Debian, from whose archive it can be unpacked")
  const { uris, keyring } = machineMirror()
  const architecture = spawnSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).stdout
  const configuration = join(directory, "apt.conf")
  for (const folder of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, "status"), "")
  writeFileSync(configuration, privateConfiguration(directory))
  writeFileSync(
    join(directory, "trixie.sources"),
    [
      "Types: deb",
      `URIs: ${uris.join(" ")}`,
      `Suites: ${suite}`,
      "Components: main",
      `Architectures: ${architecture.trim()}`,
      "Targets: Packages",
      `Signed-By: ${keyring}`,
      ""
    ].join("\n")
  )
  for (const argv of [
    ["update", "--error-on=any"],
    ["download", name]
  ]) {
    const code = await runToEnd("apt-get", ["-q", "-c", configuration, ...argv], {
      cwd: directory,
      stdio: ["ignore", 2, 2]
    })
    if (code !== 0) throw new SetupError(`apt-get ${argv[0]} failed, see its messages above`)
  }
  const archive = readdirSync(directory).find(file => file.endsWith(".deb"))
  if (!archive) throw new SetupError(`apt-get downloaded no ${name}`)
  return join(directory, archive)
}
