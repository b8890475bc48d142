/** What whoever helps has to know of the program, the browser and the station; no name of a person and no evidence. */
import type { StationState } from '../../client/station.ts'

/** A line each; those of the station are left out for who may not know them. */
export function diagnosticsOf(station: StationState | null): readonly string[] {
  const { userAgent, language, onLine } = navigator
  const browser = [
    `Time: ${new Date().toISOString()}`,
    `Page: ${location.origin}${location.pathname.replace(/\d+/g, '…')}`,
    `Browser: ${userAgent}`,
    `Language: ${document.documentElement.lang} (browser ${language})`,
    `Time zone of the browser: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    `Window: ${innerWidth} × ${innerHeight} at ${devicePixelRatio}; connection ${onLine ? 'up' : 'down'}; ${isSecureContext ? 'secure' : 'not secure'}`,
  ]
  return station === null ? browser : [...linesOf(station), ...browser]
}

function linesOf(station: StationState): readonly string[] {
  const { Disk, Queue, Clock, LastVerification, Alarms, Copies, MissingTools } = station
  const checked = LastVerification === null ? 'never' : `${LastVerification.Result}, ${LastVerification.TimeUtc}`
  const tools = MissingTools.map(({ Name }) => Name)
  return [
    `Sallyport ${station.Version}, ${station.Mode}${station.Reason === null ? '' : ` (${station.Reason})`}`,
    `Time of the station: ${station.TimeUtc} (${station.TimeZone})`,
    `Disk: ${gigabytes(Disk.FreeBytes)} of ${gigabytes(Disk.TotalBytes)} free; takes nothing below ${gigabytes(Disk.FloorBytes)}`,
    `Jobs: ${said(Queue.Running)} running, ${said(Queue.Queued)} queued, ${said(Queue.Waiting)} waiting, ${said(Queue.Failed)} failed`,
    `Clock: ${Clock.Source}${Clock.ErrorMilliseconds === null ? '' : `, within ${Clock.ErrorMilliseconds} ms`}`,
    `Last check of files: ${checked}; open alarms: ${Alarms.Open}`,
    `Backups: ${Copies.Backups}; copies of checkpoints: ${Copies.Checkpoints}`,
    `Media programs shut in: ${station.Sandbox ? 'yes' : 'no'}; missing: ${tools.length === 0 ? 'none' : tools.join(', ')}`,
  ]
}

const said = (count: number | null): string => (count === null ? 'not counted' : String(count))
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
