import type { sections as english } from './sections.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const sections: Translated<typeof english> = {
  users: 'Utilisateurs',
  groups: 'Groupes',
  policies: 'Droits',
  services: 'Intégrations',
  categories: 'Catégories',
  sources: 'Sources',
  departments: 'Services',
  templates: 'Champs et modèles',
  prefilled: 'Champs préremplis',
  cad: 'Répartition (RAO)',
  maps: 'Plans',
  network: 'Réseau',
  nodes: 'Nœuds',
  denials: 'Accès refusés',
}
