/** What the sample data says: titles, places and texts. Each title begins with “Sample:”. */
export const sampleContent = {
  burglary: 'Sample: Burglary at 14 Harbour Road',
  burglaryAbout:
    'This case is sample data. A shop was entered at night through the yard. Open the evidence, read the notes and the task, and try whatever you like: an administrator can remove all of it again.',
  traffic: 'Sample: Traffic stop at Quay Road',
  trafficAbout: 'This case is sample data. A driver was stopped for a broken light.',
  harbour: '14 Harbour Road',
  yard: 'Yard behind 14 Harbour Road',
  quay: 'Quay Road, at the bridge',
  arrival: 'Sample: Arrival at the shop',
  arrivalAbout: 'Made by the station itself. The picture counts its frames: step with the keys , and .',
  search: 'Sample: Search of the yard',
  till: 'Sample: Camera above the till',
  call: 'Sample: Emergency call',
  door: 'Sample: Photo of the door',
  window: 'Sample: Photo of the window',
  road: 'Sample: Photo of the road',
  stop: 'Sample: Stop at Quay Road',
  statement: 'Sample: Statement of the owner',
  statementText:
    'SAMPLE DATA\n\nI closed the shop at six in the evening. When I came back at seven the next morning the door to the yard stood open and the till was empty.\n\nI saw nobody. The camera above the till was running.\n',
  report: 'Sample: Report of the alarm company',
  reportText:
    'This document is sample data. The alarm of the back door went off at 02:14. It was reset at 02:21. No other sensor went off that night.',
  noteEvidence: 'The door can be seen at the beginning. Does the time fit the report of the alarm company?',
  noteCase: 'The owner comes in on Monday to look at the pictures.',
  mark: 'The door',
  task: 'Ask the neighbour for their camera',
}
