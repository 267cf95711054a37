import { expect, it } from "vitest"
import { parseSources } from "./apt-sources.mjs"

it("reads deb822 stanzas", () => {
  const text = `Types: deb
# a comment between fields
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb deb-src
URIs: https://mirror.example/debian-security
  https://other.example/debian-security
Suites: bookworm-security
Components: main contrib

Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: trixie
Components: main

Types: deb-src
URIs: http://sources.example/debian
Suites: bookworm
Components: main
`
  expect(parseSources("debian.sources", text)).toEqual([
    {
      uris: ["http://mirror.example/debian"],
      suites: ["bookworm", "bookworm-updates"],
      components: ["main"],
      signedBy: "/usr/share/keyrings/debian-archive-keyring.gpg"
    },
    {
      uris: ["https://mirror.example/debian-security", "https://other.example/debian-security"],
      suites: ["bookworm-security"],
      components: ["main", "contrib"]
    }
  ])
})

it("leaves an inline key out, since it is no path", () => {
  const text = `Types: deb
URIs: http://mirror.example/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEZ
 -----END PGP PUBLIC KEY BLOCK-----
`
  expect(parseSources("debian.sources", text)).toEqual([
    { uris: ["http://mirror.example/debian"], suites: ["bookworm"], components: ["main"] }
  ])
})

it("reads one-line entries", () => {
  const text = `# deb http://commented.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib # local
deb [arch=amd64 signed-by=/etc/apt/keyrings/a.gpg] https://mirror.example/debian trixie main
deb-src http://mirror.example/debian bookworm main
deb cdrom:[Debian 12]/ bookworm main
`
  expect(parseSources("sources.list", text)).toEqual([
    {
      uris: ["http://mirror.example/debian"],
      suites: ["bookworm"],
      components: ["main", "contrib"]
    },
    {
      uris: ["https://mirror.example/debian"],
      suites: ["trixie"],
      components: ["main"],
      signedBy: "/etc/apt/keyrings/a.gpg"
    }
  ])
})

it("keeps a mirror list, which cloud images use, and drops a CD", () => {
  const stanza = (uri: string) => `Types: deb\nURIs: ${uri}\nSuites: bookworm\nComponents: main\n`
  const text = `${stanza("mirror+file:///etc/apt/mirrors/debian.list")}\n${stanza("cdrom:[Debian]/")}`
  expect(parseSources("debian.sources", text).map(({ uris }) => uris)).toEqual([
    ["mirror+file:///etc/apt/mirrors/debian.list"]
  ])
})
