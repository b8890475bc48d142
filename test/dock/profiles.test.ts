import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Camera, identify } from '../../server/features/docking/profiles/identify.ts'
import { Profile, profilesFrom } from '../../server/features/docking/profiles/profile.ts'
import { clearable, type CardContents, recordingsOf } from '../../server/features/docking/profiles/recordings.ts'
import { shippedProfiles } from '../../server/features/docking/profiles/shipped.ts'
import { card, type Named, readFiles, volume } from './cards.ts'

const { profiles } = profilesFrom(shippedProfiles(), [])

const read = (
  files: readonly (string | Named)[],
  texts: Readonly<Record<string, string>> = {},
  { known = profiles, of = volume(), zone = 'UTC' } = {},
): { camera: Camera; contents: CardContents } => {
  const listing = card(files)
  const bytes = readFiles(listing, texts)
  const camera = identify(known, of, listing, bytes)
  if ('notACamera' in camera) throw new Error(camera.notACamera)
  return { camera, contents: recordingsOf(camera, listing, bytes, zone) }
}
const told = ({ recordings }: CardContents) =>
  recordings.map(({ parts, beside, start, end, officer, marks }) => ({
    parts: parts.map(({ name }) => name),
    beside: beside.map(({ name }) => name),
    start: start === null ? null : new Date(start.ms).toISOString(),
    end: end === null ? null : new Date(end.ms).toISOString(),
    officer,
    marks: marks.map(({ label }) => label),
  }))

const MANIFEST = {
  format: 'sallyport-camera/1',
  camera: { manufacturer: 'Maker', model: 'M1', serialNumber: 'S1' },
  clock: { nowUtc: '2026-11-20T13:00:00Z' },
  officer: 'B-42',
  recordings: [
    {
      title: 'Traffic stop',
      startUtc: '2026-11-20T12:00:00Z',
      endUtc: '2026-11-20T12:10:00Z',
      officer: 'B-42',
      files: [{ path: 'media/a1.mp4', sha256: 'a'.repeat(64) }, { path: 'media/a2.mp4' }],
      marks: [{ atUtc: '2026-11-20T12:01:00Z', label: 'Button' }],
      track: 'media/a.gpx',
    },
  ],
}
const GPX =
  '<gpx><trk><trkseg><trkpt lat="48.85" lon="2.35"><time>2026-11-20T12:00:05Z</time></trkpt><trkpt lat="91" lon="0"><time>2026-11-20T12:00:06Z</time></trkpt><trkpt lat="1" lon="1"></trkpt></trkseg></trk></gpx>'

describe('the manifest profile', () => {
  const files = ['camera.json', 'media/a1.mp4', 'media/a2.mp4', 'media/a.gpx', 'media/loose.mp4', 'setup.exe']

  it('takes identity, parts, marks, track, clock and sums from camera.json, and copies files that it does not list too', () => {
    const { camera, contents } = read(files, { 'camera.json': JSON.stringify(MANIFEST), 'media/a.gpx': GPX })
    expect(camera).toMatchObject({
      serial: 'S1',
      serialFrom: 'manifest',
      manufacturer: 'Maker',
      model: 'M1',
      officer: 'B-42',
    })
    const [listed] = contents.recordings.filter(({ title }) => title === 'Traffic stop')
    expect(listed).toMatchObject({
      officer: 'B-42',
      marks: [{ label: 'Button', ms: Date.parse('2026-11-20T12:01:00Z') }],
    })
    expect(listed?.parts.map(({ name }) => name)).toEqual(['a1.mp4', 'a2.mp4'])
    expect(listed?.beside.map(({ name }) => name)).toEqual(['a.gpx'])
    expect(listed?.track).toEqual([{ ms: Date.parse('2026-11-20T12:00:05Z'), latitude: 48.85, longitude: 2.35 }])
    expect([...(listed?.claimedSha256.values() ?? [])]).toEqual(['a'.repeat(64)])
    expect(contents.clock).toEqual({ cameraMs: Date.parse('2026-11-20T13:00:00Z'), uncertaintyMs: 1000 })
    expect(contents.recordings).toHaveLength(2)
    expect(contents.foreign).toMatchObject([{ file: { name: 'setup.exe' } }])
    expect(contents.own.map(({ name }) => name)).toEqual(['camera.json'])
    const may = clearable(camera.profile, contents)
    expect([...may].sort()).toEqual(['media/a.gpx', 'media/a1.mp4', 'media/a2.mp4', 'media/loose.mp4'])
  })

  it.each([
    ['a file twice', { recordings: [MANIFEST.recordings[0], MANIFEST.recordings[0]] }, /belongs to another/],
    [
      'a time without zone',
      { recordings: [{ startUtc: '2026-11-20T12:00:00', files: [{ path: 'media/a1.mp4' }] }] },
      /no time/,
    ],
    ['no recording at all', { recordings: [7] }, /recordings\.0/],
  ])('%s costs that entry, not the card', (_, more, problem) => {
    const { contents } = read(files, { 'camera.json': JSON.stringify({ ...MANIFEST, ...more }) })
    expect(contents.problems.join('\n')).toMatch(problem)
    const taken = contents.recordings.flatMap(({ parts }) => parts.map(({ name }) => name))
    expect(taken.sort()).toEqual(['a1.mp4', 'a2.mp4', 'loose.mp4'])
  })

  it.each(['../../etc/passwd', 'media/../../b', '/etc/passwd', 'C:\\secret', '\\\\host\\share', '..\\up'])(
    'S12: the path %s, which leads out of the camera, is refused and costs nothing else',
    (path) => {
      const more = { recordings: [{ startUtc: '2026-11-20T12:00:00Z', files: [{ path }] }] }
      const { contents } = read(files, { 'camera.json': JSON.stringify({ ...MANIFEST, ...more }) })
      expect(contents.refused).toEqual([path])
      const taken = contents.recordings.flatMap(({ parts }) => parts.map(({ name }) => name))
      expect(taken.sort()).toEqual(['a1.mp4', 'a2.mp4', 'loose.mp4'])
    },
  )

  it('a manifest that says nothing leaves the card to the next profile that knows it', () => {
    const camera = read(['camera.json', 'DCIM/100ABCDE/A.MP4'], { 'camera.json': '{' }).camera
    expect(camera).toMatchObject({ profile: { id: 'dcim' }, serial: null })
  })

  it('a serial number that contradicts the USB device is reported', () => {
    const of = volume({ usb: { vendorId: '4255', productId: '1000', serial: 'OTHER', busPath: '1-4' } })
    const { camera } = read(files, { 'camera.json': JSON.stringify(MANIFEST) }, { of })
    expect(camera.serial).toBe('S1')
    expect(camera.disagreements).toEqual(['Its manifest says serial number S1, the USB device says OTHER.'])
  })
})

describe('the other shipped profiles', () => {
  it('a folder a day: officer, parts that go on, events', () => {
    const day = 'Nov.20.2026'
    const { camera, contents } = read([
      { path: `${day}/J_Smith_${day}_12.00.00.avi`, at: '2026-11-20T12:10:00Z' },
      { path: `${day}/J_Smith_${day}_12.10.00+.avi`, at: '2026-11-20T12:20:00Z' },
      { path: `${day}/J_Smith_${day}_12.20.00+#.avi`, at: '2026-11-20T12:23:00Z' },
      { path: `${day}/J_Smith_${day}_15.00.00+.avi`, at: '2026-11-20T15:10:00Z' },
      { path: `${day}/FOURTEEN-CHARS${day}_16.00.00*.avi`, at: '2026-11-20T16:01:00Z' },
      { path: `${day}/${day}_17.00.00.avi`, at: '2026-11-20T17:01:00Z' },
      `${day}/notes.avi`,
      'FIRMWARE.BIN',
    ])
    expect(camera.profile.id).toBe('daily-police-recorder')
    expect(told(contents).filter(({ parts }) => parts[0] !== 'notes.avi')).toEqual([
      {
        parts: ['12.00.00', '12.10.00+', '12.20.00+#'].map((time) => `J_Smith_${day}_${time}.avi`),
        beside: [],
        start: '2026-11-20T12:00:00.000Z',
        end: '2026-11-20T12:23:00.000Z',
        officer: 'J Smith',
        marks: ['Event'],
      },
      expect.objectContaining({ start: '2026-11-20T15:00:00.000Z', officer: 'J Smith' }),
      expect.objectContaining({ start: '2026-11-20T16:00:00.000Z', officer: 'FOURTEEN-CHARS', marks: ['Event'] }),
      expect.objectContaining({ start: '2026-11-20T17:00:00.000Z', officer: null }),
    ])
    const alone = contents.recordings.find(({ start }) => start?.ms === Date.parse('2026-11-20T15:00:00Z'))
    expect(alone?.problems).toEqual([expect.stringContaining('goes on with a part that is not there')])
    const unnamed = contents.recordings.find(({ title }) => title === 'notes')
    expect(unnamed).toMatchObject({
      start: null,
      end: { from: 'modified' },
      problems: [expect.stringContaining('tells nothing')],
    })
    expect(contents.foreign.map(({ file }) => file.name)).toEqual(['FIRMWARE.BIN'])
  })

  it('files of a minute: joined while they follow each other, GPS beside them, the clock by the satellites', () => {
    const base = 'BlackVue/Record/20261120_12'
    const sentence = 'GPRMC,120000.00,A,4851.0000,N,00221.0000,E,3.1,90.0,201126,,'
    const sum = [...sentence]
      .reduce((total, letter) => total ^ letter.charCodeAt(0), 0)
      .toString(16)
      .toUpperCase()
      .padStart(2, '0')
    // The camera is 90 s ahead.
    const gps = `[${Date.parse('2026-11-20T12:01:30Z')}]$${sentence}*${sum}\r\n[1]$${sentence}*00\r\n$GPRMC,x\r\n`
    const { camera, contents } = read(
      [
        `${base}0000_EF.mp4`,
        `${base}0000_ER.mp4`,
        `${base}0000_E.gps`,
        `${base}0000_E.3gf`,
        `${base}0100_NF.mp4`,
        `${base}0100_NR.mp4`,
        `${base}0500_NF.mp4`,
        `${base}0900_N.gps`,
      ],
      { [`${base}0000_E.gps`]: gps },
    )
    expect(camera.profile.id).toBe('minute-recorder')
    expect(told(contents).map(({ parts, beside, marks }) => ({ parts, beside, marks }))).toEqual([
      {
        parts: ['20261120_120000_EF.mp4', '20261120_120100_NF.mp4'],
        beside: ['20261120_120000_E.3gf', '20261120_120000_E.gps'],
        marks: ['Impact'],
      },
      { parts: ['20261120_120000_ER.mp4', '20261120_120100_NR.mp4'], beside: [], marks: ['Impact'] },
      { parts: ['20261120_120500_NF.mp4'], beside: [], marks: [] },
    ])
    expect(contents.recordings[0]).toMatchObject({
      cameraBehindMs: -90_000,
      track: [{ latitude: 48.85, longitude: 2.35 }],
    })
    expect(contents.foreign).toMatchObject([
      { file: { name: '20261120_120900_N.gps' }, reason: expect.stringContaining('not there') },
    ])
  })

  it('DCIM: any camera, also one that was emptied; a stick with papers is none', () => {
    const { contents } = read([
      'DCIM/100GOPRO/GX010001.MP4',
      'DCIM/100GOPRO/GX010001.THM',
      'DCIM/100GOPRO/virus.exe',
      'papers.pdf',
    ])
    expect(told(contents)).toMatchObject([
      { parts: ['GX010001.MP4'], beside: ['GX010001.THM'], start: null, end: '2026-11-20T12:00:00.000Z' },
    ])
    expect(contents.foreign.map(({ file }) => file.name)).toEqual(['virus.exe', 'papers.pdf'])
    expect(identify(profiles, volume(), card([], ['DCIM', 'DCIM/100GOPRO']), new Map())).toMatchObject({
      profile: { id: 'dcim' },
    })
    expect(identify(profiles, volume(), card(['papers.pdf', 'film.mp4']), new Map())).toHaveProperty('notACamera')
  })
})

describe('drop-in profiles', () => {
  const own = {
    format: 'sallyport-profile/1',
    id: 'ours',
    name: 'Ours',
    rank: 95,
    match: { usb: [{ vendorId: '4255' }], labels: ['BWC*'] },
    identity: { manufacturer: 'Maker', model: 'M2', serial: ['name', 'usb'] },
    media: {
      folders: ['REC/**'],
      extensions: ['mp4'],
      names: ['{serial:word}_{yyyy}{MM}{dd}{HH}{mm}{ss}_{part:digits(3)}[_{event=SOS}].mp4'],
    },
    time: { zone: 'Europe/Paris', modified: 'nothing' },
    join: { by: 'part' },
    marks: [{ field: 'event', label: 'SOS' }],
    clear: { media: true, sidecars: false, never: ['REC/keep/**'] },
  }
  const files = [
    'REC/C7_20261120120000_002_SOS.mp4',
    'REC/C7_20261120120000_001.mp4',
    'REC/C7_20261120120000_004.mp4',
    'REC/keep/C7_20261121120000_001.mp4',
  ]

  it('are matched by USB numbers or label, give serial number, parts and what stays', () => {
    const { profiles: known, problems } = profilesFrom(shippedProfiles(), [
      { name: 'ours.json', text: JSON.stringify(own) },
    ])
    expect(problems).toEqual([])
    for (const of of [
      volume({ label: 'bwc 7' }),
      volume({ usb: { vendorId: '4255', productId: '1', serial: null, busPath: '1' } }),
    ]) {
      const { camera, contents } = read(files, {}, { known, of })
      expect(camera).toMatchObject({ serial: 'C7', serialFrom: 'name', profile: { id: 'ours' } })
      expect(told(contents)).toMatchObject([
        {
          parts: [files[1], files[0], files[2]].map((path) => path?.slice(4)),
          start: '2026-11-20T11:00:00.000Z',
          marks: ['SOS'],
        },
        { parts: ['C7_20261121120000_001.mp4'] },
      ])
      expect(contents.recordings[0]?.problems).toEqual([expect.stringContaining('a part is missing')])
      expect(clearable(camera.profile, contents).size).toBe(3)
    }
    expect(identify(known, volume(), card(files), new Map())).toHaveProperty('notACamera')
  })

  it('one with a shipped id replaces the shipped one; an invalid one is reported, and the others still count', () => {
    const { profiles: known, problems } = profilesFrom(shippedProfiles(), [
      { name: 'a.json', text: JSON.stringify({ ...own, id: 'dcim' }) },
      { name: 'b.json', text: '{' },
      {
        name: 'c.json',
        text: JSON.stringify({ ...own, media: { ...own.media, names: ['{serial:text}{officer:text}'] } }),
      },
      { name: 'd.json', text: JSON.stringify({ ...own, time: { zone: 'Mars/Olympus' }, colour: 'red' }) },
      { name: 'e.json', text: JSON.stringify({ ...own, match: {} }) },
      { name: 'f.json', text: JSON.stringify({ ...own, id: 'dcim' }) },
      { name: 'g.json', text: JSON.stringify({ ...own, media: { ...own.media, folders: ['../**'] } }) },
    ])
    expect(known.filter(({ id }) => id === 'dcim')).toMatchObject([{ name: 'Ours' }])
    expect(known).toHaveLength(shippedProfiles().length)
    expect(problems.map(({ file }) => file)).toEqual(['b.json', 'c.json', 'd.json', 'e.json', 'f.json', 'g.json'])
    expect(problems[2]?.message).toMatch(/time\.zone.*|colour/)
  })

  it('the shipped ones are profiles, two of them with the source of their facts', () => {
    for (const profile of shippedProfiles()) expect(Profile.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile)
    expect(shippedProfiles().filter(({ source }) => source?.includes('.com/') === true)).toHaveLength(2)
  })
})

describe('hostile cards', () => {
  const byte = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f)
  const anyName = fc.array(byte, { minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes))
  const cameraName = fc
    .constantFrom(
      'DCIM',
      'Record',
      'BlackVue',
      'Nov.20.2026',
      'camera.json',
      'media',
      'A.MP4',
      'a.mp4',
      'A.THM',
      'A.gpx',
      '20261120_120000_EF.mp4',
      '20261120_120000_E.gps',
      '20261120_120100_NF.mp4',
      'X_Nov.20.2026_12.00.00.avi',
      'X_Nov.20.2026_12.10.00+#.avi',
      '__proto__',
      'constructor',
      '. ',
      'ａ.mp4',
      'é.mp4',
      'é.mp4',
      '‮4pm.mp4',
    )
    .map((name) => Buffer.from(name))
  const someName = fc.oneof({ weight: 3, arbitrary: cameraName }, { weight: 1, arbitrary: anyName })
  const place = fc.constantFrom('', '', 'DCIM/', 'BlackVue/Record/', 'Nov.20.2026/', 'media/')
  const anyPath = fc
    .tuple(place, fc.array(someName, { minLength: 1, maxLength: 2 }))
    .map(([folder, names]) =>
      Buffer.concat([
        Buffer.from(folder),
        ...names.flatMap((name, at) => (at === 0 ? [name] : [Buffer.from('/'), name])),
      ]),
    )
  const anyFile = fc.record({
    path: anyPath,
    at: fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  })
  const anyCard = fc.uniqueArray(anyFile, { maxLength: 40, selector: ({ path }) => path.toString('hex') })
  const anyManifest = fc.oneof(
    fc.string().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .array(
        fc.array(fc.constantFrom('media/A.MP4', 'DCIM/A.MP4', 'A.MP4', '../x', '__proto__', 'camera.json', ''), {
          maxLength: 4,
        }),
        { maxLength: 6 },
      )
      .map((lists) =>
        Buffer.from(
          JSON.stringify({
            ...MANIFEST,
            recordings: lists.map((paths) => ({
              startUtc: '2026-11-20T12:00:00Z',
              files: paths.map((path) => ({ path })),
              track: paths[0],
            })),
          }),
        ),
      ),
  )

  it('property: every file is in one place, whatever the names, sidecars and manifests are', () => {
    let cameras = 0
    fc.assert(
      fc.property(anyCard, anyManifest, fc.uint8Array({ maxLength: 300 }), (files, manifest, sidecar) => {
        const listing = card(files)
        const bytes = new Map(
          listing.files.map((file) => [file.key, file.name === 'camera.json' ? manifest : Buffer.from(sidecar)]),
        )
        const camera = identify(profiles, volume(), listing, bytes)
        if ('notACamera' in camera) return
        cameras++
        const contents = recordingsOf(camera, listing, bytes, 'Europe/Paris')
        const placed = [
          ...contents.recordings.flatMap(({ parts, beside }) => [...parts, ...beside]),
          ...contents.own,
          ...contents.foreign.map(({ file }) => file),
        ].map(({ key }) => key)
        expect(placed.sort()).toEqual(listing.files.map(({ key }) => key).sort())
        const may = clearable(camera.profile, contents)
        for (const { file } of contents.foreign) expect(may.has(file.key)).toBe(false)
        for (const { key } of contents.own) expect(may.has(key)).toBe(false)
        for (const { parts } of contents.recordings) expect(parts.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
    expect(cameras).toBeGreaterThan(300)
  })

  it('100,000 files with the worst of names take seconds, not minutes', () => {
    const files = Array.from({ length: 100_000 }, (_, at) => ({
      path: `DCIM/100AAAAA/${'a_'.repeat(20)}${at}.${['mp4', 'thm', 'exe'][at % 3]}`,
    }))
    const listing = card(files)
    const start = performance.now()
    const camera = identify(profiles, volume(), listing, new Map()) as Camera
    const contents = recordingsOf(camera, listing, new Map(), 'UTC')
    expect(contents.recordings.length + contents.foreign.length).toBeGreaterThan(60_000)
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
