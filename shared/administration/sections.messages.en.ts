/** The pages of the administration, as the frame names them too. */
export const sections = {
  users: 'Users',
  groups: 'Groups',
  policies: 'Rights',
  services: 'Integrations',
  categories: 'Categories',
  sources: 'Sources',
  departments: 'Departments',
  templates: 'Fields and templates',
  prefilled: 'Prefilled fields',
  cad: 'Dispatch (CAD)',
  maps: 'Maps',
  network: 'Network',
  nodes: 'Nodes',
  denials: 'Access denied',
} as const
