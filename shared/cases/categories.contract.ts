import { z } from 'zod'
import { IdParam, line, Name, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { MOST_RETENTION_DAYS } from '../retention/retention.ts'

/** Categories of the case service: interfaces.md 2.3, 4 and decisions 4. */

const CategoryPath = Tenant.extend({ categoryId: IdParam })

/** Who did something, as then (decisions 4). */
export const PrincipalOutputModel = z
  .object({
    PrincipalId: z.string().nullable(),
    KId: z.string().nullable(),
    Name: z.string().nullable(),
    Username: z.string().nullable(),
    PrincipalType: z.string().nullable(),
  })
  .meta({ id: 'PrincipalOutputModel' })

export const CategoryModel = z
  .object({
    CategoryId: z.string(),
    Name: z.string(),
    Description: z.string().nullable(),
    Color: z.string().nullable(),
    RetentionDays: z.int().nullable().meta({ description: 'null: kept' }),
    Enabled: z.boolean(),
    ConcurrencyId: z.string(),
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
  })
  .meta({ id: 'CategoryModel' })

export const LONGEST_COLOR = 64

const given = {
  Name,
  Description: text(65_536).nullish(),
  Color: line(LONGEST_COLOR, 1).nullish(),
  RetentionDays: z.int().min(1).max(MOST_RETENTION_DAYS).nullish(),
  Enabled: z.boolean().nullish(),
}

export const CreateCategoryModel = z.object(given).meta({ id: 'CreateCategoryModel' })
export const UpdateCategoryModel = z
  .object({ ...given, ConcurrencyId: z.string().min(1).max(256) })
  .meta({ id: 'UpdateCategoryModel' })

const member = { kind: 'member', guests: false } as const
const configuration = { kind: 'policy', policy: 'ManageConfiguration' } as const

export const createCategory = route({
  id: 'createCategory',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/category/:tenantId',
  origin: 'specification',
  summary: 'Create a category',
  description: 'Enabled unless told otherwise. Without RetentionDays what is in it is kept.',
  permission: configuration,
  audit: { by: 'own', actions: ['category.created'] },
  params: Tenant,
  body: CreateCategoryModel,
  responses: { 201: CategoryModel },
  errors: ['InvalidModel', 'CategoryWithSameNameAlreadyExists', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const listCategories = route({
  id: 'listCategories',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/category/:tenantId',
  origin: 'specification',
  summary: 'List all categories by name, disabled ones too',
  permission: member,
  audit: { by: 'read', action: 'list.read', objectType: 'category' },
  params: Tenant,
  offers: ['application/json'],
  responses: { 200: z.array(CategoryModel) },
  errors: ['TenantNotFound'],
})

export const getCategory = route({
  id: 'getCategoryById',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/category/:tenantId/:categoryId',
  origin: 'specification',
  summary: 'Read a category',
  permission: member,
  audit: { by: 'read', action: 'category.read', objectType: 'category', objectParam: 'categoryId' },
  params: CategoryPath,
  responses: { 200: CategoryModel },
  errors: ['CategoryNotFound', 'TenantNotFound'],
})

export const updateCategory = route({
  id: 'updateCategory',
  interface: 'case',
  method: 'PUT',
  path: '/api/v1/category/:tenantId/:categoryId',
  origin: 'specification',
  summary: 'Replace a category',
  description:
    'An absent Description, Color or RetentionDays is none from then on; an absent Enabled stays as it is. ConcurrencyId is that of the version that was read.',
  permission: configuration,
  audit: { by: 'own', actions: ['category.changed'] },
  params: CategoryPath,
  body: UpdateCategoryModel,
  responses: { 200: CategoryModel },
  errors: [
    'InvalidModel',
    'CategoryNotFound',
    'CategoryWithSameNameAlreadyExists',
    'ConcurrentWritingError',
    'TenantNotFound',
    'ReadOnly',
  ],
})
