"""Will it stand?"""
