import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { fetchFirstPage } from './app/router.tsx'
import { startLanguages } from './client/i18n.ts'
import './styles/index.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
const languages = startLanguages()
// What the page needs is fetched beside each other.
fetchFirstPage()
// Not awaited: this file is part of what those scripts import, and they would wait for it.
void languages.then(() => {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
