import { TodayPage } from '../features/today/today-page.tsx'
import { openNotices, showPanel } from './frame/panel.ts'

const openJobs = (): void => showPanel('jobs')
const showNotices = (): void => openNotices(true)

/** Drawer and bell are parts of the frame, which areas do not know. */
export const TodayRoute = () => <TodayPage onJobs={openJobs} onNotices={showNotices} />
