export const faults = [
  {
    breaks: 'An answer ignores the groups of the person who asked',
    file: './answer-sources.ts',
    find: 'groupIds ?? []',
    put: '[]',
  },
  {
    breaks: 'An answer ignores the role of the person who asked',
    file: './new-answer.ts',
    find: '...(principal.organisation.role && { role: principal.organisation.role })',
    put: '...{}',
  },
  {
    breaks: "A chatbot quotes sources that the person who asked can't read",
    file: './answer-sources.ts',
    find: 'connectionIds ? readable.filter((id) => connectionIds.includes(id)) : readable',
    put: 'connectionIds ?? readable',
  },
];
