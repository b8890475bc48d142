import { HelpPage } from '../features/help/help-page.tsx'
import { openKeys, showPanel } from './frame/panel.ts'

const openJobs = (): void => showPanel('jobs')
const showKeys = (): void => openKeys(true)

/** Drawer and keys are parts of the frame, which areas do not know. */
export const HelpRoute = () => <HelpPage onJobs={openJobs} onKeys={showKeys} />
