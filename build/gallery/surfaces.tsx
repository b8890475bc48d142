import { lazy, Suspense, useState } from 'react'
import { ActDialog } from '../../renderer/ui/act/act-dialog.tsx'
import { Outcome } from '../../renderer/ui/act/outcome.tsx'
import { Button, IconButton } from '../../renderer/ui/button/button.tsx'
import { useShortcuts } from '../../renderer/ui/command/use-shortcuts.ts'
import { ConfirmDialog, Dialog } from '../../renderer/ui/dialog/dialog.tsx'
import { Drawer } from '../../renderer/ui/drawer/drawer.tsx'
import { TextField } from '../../renderer/ui/field/field.tsx'
import { Menu } from '../../renderer/ui/popover/menu.tsx'
import { Popover } from '../../renderer/ui/popover/popover.tsx'
import { Tooltip } from '../../renderer/ui/popover/tooltip.tsx'
import { toasts } from '../../renderer/ui/toast/toast.tsx'
import { UploadRow } from '../../renderer/ui/upload-row/upload-row.tsx'
import { Line, Section } from './section.tsx'
import styles from './parts.module.css'

const CommandPalette = lazy(() =>
  import('../../renderer/ui/command/palette.tsx').then((m) => ({ default: m.CommandPalette })),
)
const ShortcutSheet = lazy(() =>
  import('../../renderer/ui/command/sheet.tsx').then((m) => ({ default: m.ShortcutSheet })),
)

type Open = 'dialog' | 'act' | 'confirm' | 'drawer' | 'palette' | 'sheet' | null

export function Surfaces() {
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  return (
    <div className={styles['surfaces']}>
      <div className={styles['column']}>
        <Section title="Dialogs, drawer" note="a dialog only for a decision">
          <Line>
            <Button onPress={() => setOpen('dialog')}>Edit the case</Button>
            <Button kind="danger" onPress={() => setOpen('confirm')}>
              Remove the link
            </Button>
            <Button kind="danger" onPress={() => setOpen('act')}>
              Delete the case
            </Button>
            <Button onPress={() => setOpen('drawer')}>Show uploads</Button>
          </Line>
        </Section>
        <Menus />
        <Section title="Toast" note="an act done, and its way back">
          <Line>
            <Button
              onPress={() =>
                toasts.show({
                  text: 'Tag “entry” removed from 3',
                  undo: () => toasts.show({ text: 'Tag “entry” is back' }),
                })
              }
            >
              Remove a tag
            </Button>
            <Button onPress={() => toasts.show({ text: 'Copied' })}>Copy</Button>
          </Line>
        </Section>
        <Section title="Command and keys">
          <Line>
            <Button keys="Ctrl K" onPress={() => setOpen('palette')}>
              Find or do
            </Button>
            <Button keys="?" onPress={() => setOpen('sheet')}>
              Keys
            </Button>
          </Line>
          <Sequence onPalette={() => setOpen('palette')} />
        </Section>
      </div>
      {open === 'dialog' && <CaseDialog onClose={close} />}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Remove the link to 2026-001284?"
          confirm="Remove the link"
          danger
          onConfirm={close}
          onClose={close}
        >
          The evidence stays. The case no longer shows it. The custody thread keeps both facts.
        </ConfirmDialog>
      )}
      {open === 'act' && <DeleteCase onClose={close} />}
      {open === 'drawer' && <UploadsDrawer onClose={close} />}
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'sheet' && <Sheet onClose={close} />}
      </Suspense>
    </div>
  )
}

/** It is refused: the dialog stays, with the reason in it. */
function DeleteCase({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActDialog
      title="Delete 2026-001284?"
      act="Delete the case"
      failed="It was not deleted"
      danger
      onAct={() => Promise.reject(new Error('A case that is protected cannot be deleted'))}
      onClose={onClose}
    >
      <Outcome icon="trash" title="What goes">
        <li>The case leaves every list.</li>
      </Outcome>
      <Outcome icon="ok" title="What stays">
        <li>Its evidence, and who did what.</li>
      </Outcome>
    </ActDialog>
  )
}

function Menus() {
  const [columns, setColumns] = useState<readonly string[]>(['name'])
  return (
    <Section title="Menu, popover, tooltip">
      <Line>
        <Menu
          label="Acts"
          placement="bottom start"
          trigger={<IconButton label="More" icon="more" kind="plain" />}
          sections={[
            {
              items: [
                { id: 'link', label: 'Link to case', icon: 'link', keys: 'C' },
                { id: 'tag', label: 'Tag', icon: 'tag', keys: 'T' },
                {
                  id: 'check',
                  label: 'Check hash now',
                  icon: 'fixity',
                  keys: 'H',
                  why: 'Being checked by another job',
                },
              ],
            },
            { items: [{ id: 'bin', label: 'Send to recycle bin', icon: 'trash', danger: true }] },
          ]}
        />
        <Menu
          label="Columns"
          sections={[
            {
              label: 'Columns',
              selected: columns,
              onSelectMany: setColumns,
              items: [
                { id: 'name', label: 'Name' },
                { id: 'length', label: 'Length' },
              ],
            },
          ]}
        >
          Columns
        </Menu>
        <Popover label="Rename" trigger={<Button>Rename</Button>}>
          {(done) => <Rename done={done} />}
        </Popover>
        <Tooltip text="Reads every byte from the disk again" keys="H">
          <Button icon="fixity">Check</Button>
        </Tooltip>
      </Line>
    </Section>
  )
}

function Rename({ done }: { readonly done: () => void }) {
  const [name, setName] = useState('BWC 0417, Tanner’s Row')
  return (
    <div className={styles['stack']}>
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      <Button kind="main" onPress={done}>
        Save the name
      </Button>
    </div>
  )
}

function Sequence({ onPalette }: { readonly onPalette: () => void }) {
  const [said, setSaid] = useState('Press G, then D, outside fields.')
  useShortcuts({ 'g d': () => setSaid('G then D was pressed.'), 'Control+k': onPalette })
  return (
    <p className={styles['small']} role="status">
      {said}
    </p>
  )
}

function CaseDialog({ onClose }: { readonly onClose: () => void }) {
  const [words, setWords] = useState('Rear window forced.')
  return (
    <Dialog
      title="M. Lindqvist saved this case at 03:41, while you were typing"
      lead="Two fields differ. Your words are kept until you save or leave."
      onClose={onClose}
      keep
      note="Description can be joined by hand."
      actions={
        <>
          <Button onPress={onClose}>Back to my form</Button>
          <Button kind="main" onPress={onClose}>
            Save these choices
          </Button>
        </>
      }
    >
      <TextField label="Description" value={words} onChange={setWords} />
    </Dialog>
  )
}

function UploadsDrawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <Drawer
      title="Adding 8 files"
      meta="to case 2026-001284"
      onClose={onClose}
      footer={
        <>
          <p className={styles['small']}>You may close this or lock the screen. It goes on.</p>
          <Button>Pause all</Button>
        </>
      }
    >
      <ul>
        <UploadRow
          name="shopfront-cctv-ch3.dav"
          label="shopfront-cctv-ch3.dav"
          state="working"
          word="Sending"
          facts="0.96 of 4.02 GB · 41.0 MB/s"
          progress={24}
          onPause={() => undefined}
          onCancel={() => undefined}
        />
      </ul>
    </Drawer>
  )
}

const PLACES = ['Tanner’s Row', 'Tanner’s Row rear', 'Ferry Street', 'Linden House lobby']

async function searchPlaces(text: string) {
  const items = PLACES.filter((place) => place.toLowerCase().includes(text.toLowerCase())).map((place, at) => ({
    id: `EV-10488${at}`,
    label: `BWC 0417, ${place}`,
    note: `EV-10488${at} · 20 Nov 2026`,
    icon: 'video' as const,
    onRun: () => toasts.show({ text: `${place} opened` }),
  }))
  return [{ id: 'evidence', label: 'Evidence', items }]
}

function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <CommandPalette
      onClose={onClose}
      placeholder="Find evidence, or do something"
      search={searchPlaces}
      commands={{
        id: 'commands',
        label: 'Commands',
        items: [
          { id: 'add', label: 'Add evidence', icon: 'upload', onRun: () => toasts.show({ text: 'Would add' }) },
          {
            id: 'lock',
            label: 'Lock the screen',
            icon: 'lock',
            keys: 'Ctrl Shift L',
            onRun: () => toasts.show({ text: 'Would lock' }),
          },
        ],
      }}
    />
  )
}

function Sheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <ShortcutSheet
      title="Keys"
      singleKeysLabel="Single-letter keys"
      onClose={onClose}
      groups={[
        {
          label: 'Anywhere',
          keys: [
            { caps: ['Ctrl K'], does: 'Command and search' },
            { caps: ['G', 'E'], sequence: true, does: 'Evidence' },
          ],
        },
        {
          label: 'Lists',
          keys: [
            { caps: ['↑', '↓', 'J', 'K'], does: 'Move' },
            { caps: ['Space'], does: 'Select' },
          ],
        },
        { label: 'Player', keys: [{ caps: ['J', 'K', 'L'], does: 'Back, pause, on' }] },
      ]}
    />
  )
}
