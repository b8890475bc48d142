/**
 * Digests of the schema that the steps up to a version make, as servers describe it (../schema-check.ts). A version without its digest is
 * compared the slow way. `test/database/schema-check.test.ts` makes them from the steps.
 */
export const KNOWN_SCHEMAS: Readonly<Record<number, readonly string[]>> = {
  11: ['FmXgVYeWifnEu8-wdHRkmXEQAk4urYCeI-s4zo3E_-w'],
  12: ['DNrZ6it13CbI3r0CkIBsoPJSd7Qu3ZIY-zyzg88TgfQ'],
  13: ['-_BFWDBq0wPUrgKd0SohlF-CzXWB8mE2y2yhPgUAB-A'],
  14: ['6QSQ1V9pTMMOCuoqNxxnkoV65ICfUQJDuhjWoEzXPes'],
  15: ['hxSfoYLD2a0iV1LhaHfUePEbVIwdzwjIGnuwCJc8oAQ'],
  16: ['_fOp7O9WISVK61cmJPvqwWS8kOiSi4ZxdMinWj0mwvU'],
  17: ['BXCB7Gh60AKuetZ_HUk8wYd9CrE_YeMWPCrSAt0aAUk'],
  18: ['iXyEvX6Z5wDbt5QIJTuIry96z6RvYQeOTLA8dOQmX78'],
  19: ['EzFOXq25AUqNXu7h8vFsBXW8sQg6sUMatHmk4JNX-Pg'],
  20: ['jHwJy4SvVNyDxy_CCH0EAV9nSeJSehwT68Fj1CtE8Ko'],
  21: ['mk_l-nOCXSKHy26Fk-kfkM2ceeEHCC_a1cv3oNlS3TE'],
  22: ['vk5xhaxS-Ges_UqUmjrehssZbrSWxU0NSt_vTsTm6GY'],
  23: ['-TO5uX44f6LwmGU1JPFlLAbHsgtpyh0Ba_cDq98IEpA'],
  24: ['hqFAuRkqPEBspPqlXGQLax9htdKULKzgTnVU9owRoyI'],
  25: ['IwRL2hOH63F8T0_Lrg44RKbqgZv1s_LpfgYatOD5V6E'],
  26: ['vPk_X28E-cYgT9ywDfIBYGAqX67e7IP6VV_E2wCEz08'],
  27: ['e_QzCaZwXvuDY7HKpHylkSoqkqs6klQJuq9BsgJ4Mp4'],
  28: ['nRsZnDIHieKEeixmRefXV5r22-1SWIMyI09XutSjowc'],
}
