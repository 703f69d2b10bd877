import { lazyPart } from '../../../lib/lazy-part.tsx';

/** Shows what answers in a project can search besides their chatbot's connections: data connections and files. */
export const ProjectKnowledge = lazyPart(
  async () => (await import('./knowledge/knowledge-section.tsx')).KnowledgeSection,
);
