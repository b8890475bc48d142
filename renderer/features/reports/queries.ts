/** What reports ask of the station. Every key begins with `reports`. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import * as contract from '../../../shared/reports/contract.ts'
import { REPORTS, type ReportName } from '../../../shared/reports/reports.ts'
import { addressOf, call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import type { ReportsSearch } from './search.ts'

export type Report = contract.Report
export type Calendar = contract.RetentionCalendar
export type Day = Calendar['Days'][number]

/** Of the address what this report takes. */
export function askedOf(name: ReportName, { from, until, days, age }: ReportsSearch) {
  const { takes } = REPORTS[name]
  if (takes === 'period' || takes === 'ahead')
    return { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) }
  if (takes === 'days') return days === undefined ? {} : { days: String(days) }
  return takes === 'age' && age !== undefined ? { age } : {}
}

/** Asked again when somebody comes back to it; whoever leaves ends the reading. */
export function useReport(name: ReportName, search: ReportsSearch) {
  const { tenant } = useSession()
  const query = askedOf(name, search)
  return useQuery({
    queryKey: ['reports', 'figures', tenant, name, query],
    queryFn: ({ signal }) => call(contract.getReport, { params: { tenantId: tenant, report: name }, query, signal }),
  })
}

export function useExports(name: ReportName, search: ReportsSearch, language: 'en' | 'fr') {
  const { tenant } = useSession()
  return (format: 'csv' | 'pdf'): string =>
    addressOf(contract.exportReport, {
      params: { tenantId: tenant, report: name },
      query: { ...askedOf(name, search), format, ...(format === 'pdf' ? { language } : {}) },
    })
}

export function useCalendar(month: string | undefined) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['reports', 'calendar', tenant, month],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.getRetentionCalendar, {
        params: { tenantId: tenant },
        query: month === undefined ? {} : { month },
        signal,
      }),
  })
}
