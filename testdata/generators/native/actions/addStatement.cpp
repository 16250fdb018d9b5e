    {{statement}}
