export const EvidencePage = ({ evidenceId }: { evidenceId: string }) => <p>{evidenceId}</p>
