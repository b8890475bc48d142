import { useState } from 'react'
import { IconButton } from '../../renderer/ui/button/button.tsx'
import { TwoClocks } from '../../renderer/ui/clocks/clocks.tsx'
import { FingerprintDigits, FingerprintWords } from '../../renderer/ui/fingerprint/fingerprint.tsx'
import { Hash, type HashCheck } from '../../renderer/ui/hash/hash.tsx'
import { Icon, type IconName } from '../../renderer/ui/icon/icon.tsx'
import { type NoteItem, NotesThread } from '../../renderer/ui/notes/notes.tsx'
import { ExportMenu } from '../../renderer/ui/popover/export-menu.tsx'
import { Thread } from '../../renderer/ui/thread/thread.tsx'
import { Tree } from '../../renderer/ui/tree/tree.tsx'
import { UploadRow } from '../../renderer/ui/upload-row/upload-row.tsx'
import { Section } from './section.tsx'
import styles from './parts.module.css'

const HASH = '9f3c41d80a6b7715c2e09d4417f8a3325b60ee91d28c7f04a1b3c5d7e07a5b12'

const WORDS = ['polar', 'elder', 'gazelle', 'planet', 'atlas', 'kayak', 'kennel', 'bugle']

export function Proof() {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Section title="Two clocks">
          <div className={styles['stack']}>
            <TwoClocks
              size="large"
              precision="millisecond"
              corrected="2026-11-20T01:47:31.240Z"
              recorded="2026-11-20T01:46:19.240Z"
              offset={72}
              error={1}
            />
            <TwoClocks corrected="2026-11-20T01:47:31Z" recorded="2026-11-20T01:48:11Z" offset={-40} estimated />
            <TwoClocks corrected={null} recorded="2026-11-20T01:47:31Z" offset={null} />
            <TwoClocks corrected="2026-11-20T01:35:02Z" recorded={null} offset={null} />
          </div>
        </Section>
        <Section title="Hash">
          <Hashes />
        </Section>
        <Section title="Fingerprint" note="as words, and whole">
          <div className={styles['stack']}>
            <FingerprintWords words={WORDS} label="Words of the fingerprint" />
            <FingerprintDigits value={HASH} of="the fingerprint" />
          </div>
        </Section>
        <Section title="What there is" note="1 original, 2 made from it">
          <Resources />
        </Section>
      </div>
      <div className={styles['column']}>
        <Section title="Upload rows">
          <Uploads />
        </Section>
        <Section title="Thread">
          <Custody />
        </Section>
        <Section title="Notes">
          <Notes />
        </Section>
      </div>
    </div>
  )
}

function Hashes() {
  const [check, setCheck] = useState<HashCheck>({ state: 'ok', words: 'Read back 20 Nov 03:04' })
  const [checking, setChecking] = useState(false)
  return (
    <div className={styles['stack']}>
      <Hash
        value={HASH}
        lastCheck={check}
        checking={checking}
        onCheck={() => {
          setChecking(true)
          setTimeout(() => {
            setChecking(false)
            setCheck({ state: 'ok', words: 'Matches, just now' })
          }, 1_500)
        }}
      />
      <Hash value={HASH} lastCheck={{ state: 'danger', words: 'Changed on disk 20 Nov 03:50' }} />
    </div>
  )
}

function Line({
  icon,
  name,
  what,
  hash,
}: {
  readonly icon: IconName
  readonly name: string
  readonly what: string
  readonly hash: string
}) {
  return (
    <div>
      <div className={styles['resource']}>
        <Icon name={icon} />
        <strong className={styles['strong']}>{name}</strong>
        <span className={styles['what']}>{what}</span>
      </div>
      <div className={styles['under']}>
        <Hash
          value={hash}
          of={`the hash of ${name}`}
          lastCheck={{ state: 'ok', words: 'Matches' }}
          onCheck={() => undefined}
        />
      </div>
    </div>
  )
}

function Resources() {
  return (
    <Tree
      label="Resources"
      nodes={[
        {
          id: 'original',
          label: 'BW0417_20261120_023955.mp4',
          content: <Line icon="video" name="BW0417_20261120_023955.mp4" what="original · 1.90 GB" hash={HASH} />,
          children: [
            {
              id: 'copy',
              label: 'Playable copy',
              content: (
                <Line icon="play" name="Playable copy" what="H.264, stream copied" hash={`c1d7${HASH.slice(4)}`} />
              ),
            },
            {
              id: 'still',
              label: 'Still at 02:47:31.240',
              content: (
                <Line icon="still" name="Still at 02:47:31.240" what="PNG · 2.10 MB" hash={`77be${HASH.slice(4)}`} />
              ),
            },
          ],
        },
        {
          id: 'log',
          label: 'BW0417_20261120_023955.json',
          content: (
            <Line
              icon="document"
              name="BW0417_20261120_023955.json"
              what="camera log · 14 kB"
              hash={`20ab${HASH.slice(4)}`}
            />
          ),
        },
      ]}
    />
  )
}

function Uploads() {
  const act = (): void => undefined
  return (
    <ul className={styles['framed']}>
      <UploadRow
        name="bodycam_0417_part2.mp4"
        label="bodycam_0417_part2.mp4"
        state="working"
        word="Sending"
        facts="1.18 of 1.90 GB · 38.0 MB/s · 20 s left"
        progress={62}
        onPause={act}
        onCancel={act}
      />
      <UploadRow
        name="IMG_2291.HEIC"
        label="IMG_2291.HEIC"
        state="working"
        word="Reading back"
        facts="8.40 MB written"
        progress={100}
      />
      <UploadRow
        name="phone-clip-witness.mov"
        label="phone-clip-witness.mov"
        state="waiting"
        word="Paused by you"
        facts="301 of 640 MB kept"
        progress={47}
        onResume={act}
        onCancel={act}
      />
      <UploadRow
        name="SD-card/DCIM/100MEDIA/0031.mp4"
        label="SD-card/DCIM/100MEDIA/0031.mp4"
        state="attention"
        word="The card reader went away"
        facts=""
        progress={81}
        problem="2.20 of 2.71 GB are safe here. Plug it in again, then resume."
        onResume={act}
        onCancel={act}
      />
      <UploadRow
        name="neighbour-16-statement.pdf"
        label="neighbour-16-statement.pdf"
        state="ok"
        word="Verified"
        facts="0.40 MB"
        progress={null}
      />
    </ul>
  )
}

const NOTES: readonly NoteItem[] = [
  {
    id: '2',
    text: 'Compare with the camera of number 12.\nIts clock is 3 s ahead.',
    source: '',
    author: 'K. Lindqvist',
    atUtc: '2026-11-20T03:10:00Z',
    edits: 2,
    changedUtc: '2026-11-20T04:02:00Z',
    mayChange: false,
  },
  {
    id: '1',
    text: 'The door is heard before the light.',
    source: 'The door is heard before the light.',
    author: 'D. Okafor',
    atUtc: '2026-11-20T02:55:00Z',
    edits: 0,
    changedUtc: '2026-11-20T02:55:00Z',
    mayChange: true,
  },
]

/** Written here alone; the second refuses, as a station does that takes no changes. */
/** Whom a note can name with an `@`. */
const PEOPLE = [
  { id: '1', username: 'okafor', name: 'Dana Okafor' },
  { id: '2', username: 'oreilly', name: 'Sean O’Reilly' },
]

function Notes() {
  const [notes, setNotes] = useState(NOTES)
  return (
    <div className={styles['stack']}>
      <NotesThread
        label="Notes"
        longest={1000}
        notes={notes}
        findPeople={async (typed) => PEOPLE.filter(({ username }) => username.startsWith(typed.toLowerCase()))}
        onAdd={async (text) => {
          setNotes((now) => [
            {
              ...(NOTES[1] as NoteItem),
              id: String(now.length + 1),
              text,
              source: text,
            },
            ...now,
          ])
          return []
        }}
        onChange={() => Promise.reject(new Error('The station takes no changes at the moment.'))}
        onRemove={async (id) => setNotes((now) => now.filter((note) => note.id !== id))}
        onEarlier={async () => [
          { id: 'b', text: '', author: '', atUtc: '2026-11-20T04:02:00Z' },
          { id: 'a', text: 'Compare with number 12.', author: 'K. Lindqvist', atUtc: '2026-11-20T03:10:00Z' },
        ]}
      />
      <ExportMenu label="Export list" size="small" address={(format) => `#${format}`} />
    </div>
  )
}

function Custody() {
  return (
    <>
      <Thread
        label="Custody"
        entries={[
          {
            id: '1',
            day: '20 November 2026, CET',
            icon: 'ok',
            act: 'Checked, unchanged',
            detail: 'Station, every 90 days',
            time: '04:00',
            at: '2026-11-20T03:00:00Z',
          },
          {
            id: '2',
            icon: 'still',
            act: 'Still taken at 02:47:31.240',
            detail: 'I. Marchetti',
            time: '03:51',
            at: '2026-11-20T02:51:00Z',
          },
          {
            id: '3',
            icon: 'play',
            act: 'Played 02:41 to 02:52',
            detail: 'I. Marchetti · 6 min 40 s',
            time: '03:44',
            at: '2026-11-20T02:44:00Z',
          },
          {
            id: '4',
            icon: 'link',
            act: 'Linked to 2026-001284',
            detail: 'Rule: same officer, 17 min 38 s overlap',
            time: '03:05',
            at: '2026-11-20T02:05:00Z',
          },
          {
            id: '5',
            icon: 'download',
            act: 'Copied from BW-0417',
            detail: 'Bay 1 · 1.90 GB at 34.0 MB/s',
            time: '03:03',
            at: '2026-11-20T02:03:00Z',
          },
        ]}
      />
      <IconButton label="Print the custody report" icon="print" kind="plain" />
    </>
  )
}
