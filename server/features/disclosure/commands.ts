/** What the command line asks of disclosure, inside the station that holds the folder. */
import { z } from 'zod'
import {
  AcknowledgeModel,
  CreateDisclosureModel,
  SupersedeDisclosureModel,
} from '../../../shared/disclosure/contract.ts'
import { SCHEDULES } from '../../../shared/disclosure/kinds.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { disclosureModel, ordinalOf } from './disclosure.models.ts'
import type { Disclosures } from './disclosure.service.ts'
import type { Papers } from './papers/papers.service.ts'
import { rightsOfCommand } from './rights.ts'

interface Deps {
  readonly disclosures: Disclosures
  readonly papers: Papers
  readonly ledger: Pick<Ledger, 'record'>
}

const OfCase = z.object({ caseId: z.string() })
const OfRecord = OfCase.extend({ no: z.string() })
const Printed = OfRecord.extend({
  schedule: z.enum([...SCHEDULES, 'receipt']),
  format: z.enum(['csv', 'pdf']),
  language: z.enum(['en', 'fr']),
})

/** @returns null for a command that is not one of disclosure */
export type DisclosureCommands = (
  call: Call,
  tenant: string,
  asked: { readonly command: string; readonly args: Readonly<Record<string, unknown>> },
) => Promise<unknown> | null

export function createDisclosureCommands({ disclosures, papers, ledger }: Deps): DisclosureCommands {
  return (call, tenant, { command, args }) => {
    const rights = rightsOfCommand(tenant)
    switch (command) {
      case 'disclosure.create': {
        const { caseId } = OfCase.parse(args)
        const body = args['body']
        return args['supersedes'] === undefined
          ? disclosures.create(call, { tenant, caseId, rights }, CreateDisclosureModel.parse(body))
          : disclosures.supersede(
              call,
              { tenant, caseId, rights, no: String(args['supersedes']) },
              SupersedeDisclosureModel.parse(body),
            )
      }
      case 'disclosure.list':
        return listed({ disclosures, ledger }, call, tenant, OfCase.parse(args).caseId)
      case 'disclosure.acknowledge': {
        const { caseId, no } = OfRecord.parse(args)
        return disclosures.acknowledge(call, { tenant, caseId, rights, no }, AcknowledgeModel.parse(args['body']))
      }
      case 'disclosure.schedule':
        return printed({ disclosures, papers, ledger }, call, tenant, Printed.parse(args))
      default:
        return null
    }
  }
}

async function listed(
  { disclosures, ledger }: Pick<Deps, 'disclosures' | 'ledger'>,
  call: Call,
  tenant: string,
  caseId: string,
) {
  const { row, items, due } = await disclosures.list({ tenant, caseId, rights: rightsOfCommand(tenant) })
  await ledger.record(call, {
    action: 'disclosure.listed',
    object: { type: 'case', id: caseId, name: row.title },
    detail: { returned: items.length, due: due.length },
  })
  return { Items: items, Due: due }
}

/** The file as base64: what a command is answered goes over a socket as JSON. */
async function printed(
  { disclosures, papers, ledger }: Deps,
  call: Call,
  tenant: string,
  { caseId, no, schedule, format, language }: z.output<typeof Printed>,
) {
  const of = await disclosures.get({ tenant, caseId, no, rights: rightsOfCommand(tenant) })
  const content =
    schedule === 'receipt'
      ? await papers.receipt(of, language)
      : await papers.schedule(of, { schedule, format, language })
  const { disclosure_id: id, no: number } = of.record.row
  await ledger.record(call, {
    action: 'disclosure.printed',
    object: { type: 'disclosure', id: String(id), name: `${ordinalOf(of.row)} / ${number}` },
    bytes: content.length,
    detail: { caseId, no: number, paper: schedule, format, language },
  })
  return { base64: content.toString('base64'), bytes: content.length, no: disclosureModel(of.record).No }
}
