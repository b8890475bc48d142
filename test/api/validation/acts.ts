/** One good call of each route of self-validation (promise I1). */
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

export const VALIDATION = '/api/v1/tenant/station/validation'

export const VALIDATION_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getValidation: (world) => read(world, ''),
  listValidations: (world) => read(world, '/kept'),
  startValidation: async (world) => {
    await asChief(world, 'POST', `${VALIDATION}/stop`)
    return {
      call: () => asChief(world, 'POST', VALIDATION),
      status: 202,
      actor: 'chief',
      entries: () => [['validation.asked', 'station', '1']],
    }
  },
  stopValidation: async (world) => {
    // Answered with a refusal where one is under way.
    await asChief(world, 'POST', VALIDATION)
    return {
      call: () => asChief(world, 'POST', `${VALIDATION}/stop`),
      status: 200,
      actor: 'chief',
      entries: () => [['validation.stopped', 'station', '1']],
    }
  },
  scheduleValidation: (world) => ({
    call: () => asChief(world, 'PUT', `${VALIDATION}/schedule`, { Weekly: false }),
    status: 200,
    actor: 'chief',
    entries: () => [['validation.scheduled', 'station', '1', { detail: { weekly: false } }]],
  }),
}

const read = (world: World, place: string): Act => ({
  call: () => asChief(world, 'GET', `${VALIDATION}${place}`),
  status: 200,
  actor: 'chief',
  entries: () => [],
})
